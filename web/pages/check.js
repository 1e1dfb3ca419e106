// deno-lint-ignore-file no-var
/*
 * Runs in any browser, before the page: says so if the page cannot run in it, or if a part of the page could not be
 * loaded. Written in the oldest JavaScript.
 */
(function () {
  var german = /^de/.test(navigator.language);
  var found = "noModule" in HTMLScriptElement.prototype &&
    "toSpliced" in Array.prototype && "withResolvers" in Promise && "any" in AbortSignal &&
    "HTMLDialogElement" in window && "getRandomValues" in crypto && "WebSocket" in window;
  if (!found) {
    document.documentElement.className = "too-old";
    /** @type {any} */ (document.getElementById("main")).textContent = german
      ? "Dieser Browser ist zu alt für diese Seite. Sie läuft in Chrome und Edge ab 119, Firefox ab 124 und Safari ab 17.4."
      : "This browser is too old for this page. It runs in Chrome and Edge 119, Firefox 124, Safari 17.4, and newer ones.";
    return;
  }

  /** The release of this page. */
  var script = /** @type {HTMLScriptElement} */ (document.currentScript);
  var digest = script.src.split("/").slice(-3)[0];
  /** @type {HTMLElement | null} */
  var shown = null;

  /** @param {string} text @param {() => void} act */
  function button(text, act) {
    var made = document.createElement("button");
    made.type = "button";
    made.className = "btn small";
    made.textContent = text;
    made.addEventListener("click", function () {
      if (shown) shown.remove();
      act();
    });
    return made;
  }

  /** @param {boolean} newer @param {(() => void) | null} again */
  function say(newer, again) {
    var isGerman = again ? document.documentElement.lang === "de" : german; // without modules nothing has set it
    var text = document.createElement("p");
    text.textContent = newer
      ? isGerman ? "Eine neuere Version ist da." : "A newer version is here."
      : isGerman
      ? "Ein Teil der Seite wurde nicht geladen."
      : "A part of the page was not loaded.";
    if (shown) shown.remove();
    shown = document.createElement("div");
    shown.id = "unloaded";
    shown.setAttribute("role", "alert");
    shown.append(
      text,
      again && !newer
        ? button(isGerman ? "Noch einmal versuchen" : "Try again", again)
        : button(isGerman ? "Neu laden" : "Reload", function () {
          location.reload();
        }),
    );
    var modal = document.querySelector("dialog:modal"); // all else cannot be clicked meanwhile
    (modal || document.body).append(shown);
  }

  /** Asks whether the service has another release than this page. @param {(() => void) | null} again */
  function unloaded(again) {
    if (shown && shown.isConnected) return;
    fetch(location.pathname, { headers: { Accept: "text/html" }, cache: "no-cache" }).then(function (response) {
      return response.text().then(function (text) {
        say(response.ok && text.indexOf("web/" + digest + "/") < 0, again);
      });
    }).catch(function () {
      say(false, again);
    });
  }

  addEventListener("unloaded", function (event) {
    unloaded(/** @type {CustomEvent} */ (event).detail);
  });
  // What the page itself names. Styles that are loaded later have handlers of their own.
  addEventListener("error", function (event) {
    var target = event.target;
    var named = target instanceof HTMLScriptElement ||
      (target instanceof HTMLLinkElement && target.rel === "stylesheet" && !target.onerror);
    if (named) unloaded(null);
  }, true);
})();
