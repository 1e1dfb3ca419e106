document.title = "Openings";
