/** Has the frame of index.html drawn before the page is read: reading its program takes longer than all that comes before it. */
import "./app.css";
import "./frame.css";

/** Milliseconds after which the page is read also where nothing is drawn, as in a window that is hidden. */
const UNDRAWN = 100;

let isAsked = false;

function read() {
  if (isAsked) return;
  isAsked = true;
  const target = document.getElementById("app");
  if (!target) throw new Error("index.html has no #app");
  void import("./begin").then(({ begin }) => begin(target));
}

// What is asked for in a frame's callback comes before its picture, what the callback puts off after it.
requestAnimationFrame(() => setTimeout(read));
setTimeout(read, UNDRAWN);
