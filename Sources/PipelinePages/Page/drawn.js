// The drawing of a workflow's steps, which the server makes: it is shown and moved through here.

/**
 * Shows a drawing.
 *
 * @param pick Called with a step's element that is chosen, by the mouse or the keyboard.
 */
export function showDrawing(place, svg, pick) {
  const view = document.importNode(svg, true);
  const nodes = stepsIn(view);
  nodes.forEach((node, number) => {
    node.addEventListener("click", (event) => {
      event.stopPropagation();
      pick(node);
    });
    node.addEventListener("keydown", (event) => {
      const to = { ArrowDown: number + 1, ArrowRight: number + 1, ArrowUp: number - 1, ArrowLeft: number - 1 }[event.key];
      if (event.key === "Enter" || event.key === " ") pick(node);
      else if (to !== undefined) nodes[to]?.focus();
      else return;
      event.preventDefault();
    });
  });
  place.replaceChildren(view);
}

/** The elements of the steps in a drawing. */
export function stepsIn(place) { return [...place.querySelectorAll("[data-step]")]; }

/** The element of a step in a drawing. */
export function stepIn(place, path) { return stepsIn(place).find((node) => node.dataset.step === path); }
