// deno-lint-ignore-file no-var
/* Runs in any browser, before the page: says so if the page cannot run in it. Written in the oldest JavaScript. */
(function () {
  var found = "noModule" in HTMLScriptElement.prototype &&
    "toSpliced" in Array.prototype && "withResolvers" in Promise && "any" in AbortSignal &&
    "HTMLDialogElement" in window && "getRandomValues" in crypto && "WebSocket" in window;
  if (found) return;
  document.documentElement.className = "too-old";
  /** @type {any} */
  var main = document.getElementById("main");
  var german = /^de/.test(navigator.language);
  main.textContent = german
    ? "Dieser Browser ist zu alt für diese Seite. Sie läuft in Chrome und Edge ab 119, Firefox ab 124 und Safari ab 17.4."
    : "This browser is too old for this page. It runs in Chrome and Edge 119, Firefox 124, Safari 17.4, and newer ones.";
})();
