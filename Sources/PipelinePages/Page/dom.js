// Elements of the page. Texts become text nodes, and nothing else is ever made of them.
import { visible } from "/files.js";

const space = "http://www.w3.org/2000/svg";

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== null && value !== undefined && value !== false) element.setAttribute(name, value);
  }
  for (const child of children.flat(3)) {
    if (child === null || child === undefined || child === false) continue;
    element.append(child instanceof Node ? child : visible(String(child)));
  }
  return element;
}

/** Makes an element of HTML. An attribute that is null or false is left out. */
export function make(tag, attributes, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

/** Puts children into an element, in place of what is in it. */
export function put(element, ...children) {
  element.replaceChildren();
  return fill(element, {}, children);
}

/**
 * Shows things in a place, each by a key: its element stays as long as the thing is shown, so that
 * it can be clicked, and only what is in it changes.
 *
 * @param build Makes `{ element, show }` of a thing that is new. `show` is called with its news.
 * @returns Shows a list of `[key, thing]`.
 */
export function keep(place, build) {
  const kept = new Map();
  return (things) => {
    const keys = new Set(things.map(([key]) => key));
    for (const [key, { element }] of kept) {
      if (keys.has(key)) continue;
      element.remove();
      kept.delete(key);
    }
    things.forEach(([key, thing], number) => {
      if (!kept.has(key)) {
        const [next] = things.slice(number + 1).find(([other]) => kept.has(other)) ?? [];
        kept.set(key, build(thing));
        place.insertBefore(kept.get(key).element, kept.get(next)?.element ?? null);
      }
      kept.get(key).show(thing);
    });
  };
}

/** Makes an element of SVG. */
export function draw(tag, attributes, ...children) {
  return fill(document.createElementNS(space, tag), attributes, children);
}

export function button(label, onclick, attributes = {}) {
  const kind = attributes.class ?? "";
  return make("button", { type: "button", ...attributes, class: `button ${kind}`, onclick }, label);
}

// Each state has a shape of its own, so that it does not depend on colour.
const disc = "M8 1a7 7 0 1 0 0 14A7 7 0 0 0 8 1z";
const shapes = {
  ok: [disc, "M4.8 8.2l2.3 2.3 4.2-4.7"],
  bad: ["M3.5 1.5h9a2 2 0 0 1 2 2v9a2 2 0 0 1-2 2h-9a2 2 0 0 1-2-2v-9a2 2 0 0 1 2-2z",
    "M5.2 5.2l5.6 5.6M10.8 5.2l-5.6 5.6"],
  doubt: ["M8 .4L15.6 8 8 15.6.4 8z",
    "M6.3 6.4a1.8 1.8 0 1 1 2.5 1.6c-.6.3-.8.7-.8 1.2M8 11.4v.1"],
  warn: ["M8 1.2l7.2 13H.8z", "M8 6.2v3.6M8 12v.1"],
  run: [null, "M8 1.9A6.1 6.1 0 1 1 1.9 8"],
  idle: [null, "M8 2a6 6 0 1 1-.01 0z"],
  skip: [null, "M8 2a6 6 0 1 1-.01 0zM5 8h6"],
  stop: ["M3 3h10v10H3z", null],
};

/** The shape of a state. Words beside it say the same. */
export function icon(state) {
  const [shape, line] = shapes[state] ?? shapes.idle;
  return draw("svg", { class: `icon ${state}`, viewBox: "0 0 16 16", "aria-hidden": "true" },
    shape && draw("path", { class: "f", d: shape }), line && draw("path", { class: "l", d: line }));
}

/** A state in words, with its shape. */
export function tag(state, text) {
  return make("span", { class: `tag ${state}` }, icon(state), text);
}

/** What the page does, as a command line, so that it teaches the command line. */
export function twin(command) {
  return make("pre", { class: "twin", tabindex: "0", "aria-label": "The same as a command" }, command);
}

let timer = 0;

/** Says something for a moment, or until it is closed if there is something to do. */
export function toast(text, ...actions) {
  const place = document.getElementById("toasts");
  const box = make("div", { class: "toast" }, make("span", {}, text), actions,
    button("Close", () => place.replaceChildren(), { class: "small quiet" }));
  // Who follows a link has understood.
  box.addEventListener("click", (event) => { if (event.target.closest("a")) box.remove(); });
  place.replaceChildren(box);
  clearTimeout(timer);
  if (actions.length === 0) timer = setTimeout(() => { if (place.contains(box)) box.remove(); }, 6000);
}

/** A list of choices or facts over the page, closed by Escape or a click elsewhere. */
let open = null;

export function closePopup(isBack = false) {
  if (!open) return;
  const { element, back } = open;
  open = null;
  element.remove();
  if (isBack) back?.focus({ preventScroll: true });
}

/** Shows an element near a place of the viewport. */
export function popup(element, x, y, back) {
  closePopup();
  document.body.append(element);
  const { offsetWidth: width, offsetHeight: height } = element;
  const left = Math.max(8, Math.min(x, innerWidth - width - 8));
  const below = y + height + 8 <= innerHeight || y - height - 30 < 0;
  element.style.setProperty("left", `${left + scrollX}px`);
  element.style.setProperty("top", `${(below ? y : y - height - 30) + scrollY}px`);
  open = { element, back };
}

addEventListener("keydown", (event) => {
  if (event.key !== "Escape" || !open) return;
  event.preventDefault();
  closePopup(true);
});
addEventListener("pointerdown", (event) => {
  if (open && !open.element.contains(event.target)) closePopup();
});
