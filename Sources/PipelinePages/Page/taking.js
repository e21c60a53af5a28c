// A value of an answer becomes an extractor: a form beside it that proposes, tries and writes.
import { button, closePopup, icon, make, popup, toast } from "/dom.js";
import { countText } from "/live.js";
import { call } from "/rpc.js";

/**
 * @param answer The parameters that name the answer.
 * @param at The path of the value in its body.
 * @param text Gives the text of the file as it is edited now, and takes another one.
 * @param mark Called with the paths of what the query selects.
 */
export async function takeValue({ file, answer, at, text, mark, link, place: { x, y, back } }) {
  const now = await text.get();
  const { choices, known } = await call("answers/proposals", { ...answer, at, text: now });
  const name = make("input", { type: "text", id: "extract-name", value: choices[0].name, spellcheck: "false", autocomplete: "off" });
  const query = make("input", { type: "text", id: "extract-query", value: choices[0].query, spellcheck: "false", autocomplete: "off" });
  const result = make("p", { class: "preview", role: "status" });
  const say = (error) => toast(error.message);
  let named = choices[0].name;
  const tell = (finds) => {
    mark(finds.paths ?? []);
    result.textContent = "";
    result.append(...finds.error ? [icon("bad"), ` ${finds.error}`]
      : [make("b", {}, `${countText(finds.count)} found`), make("span", {}, finds.sample.length
        ? `: ${finds.sample.join(", ")}${finds.count > finds.sample.length ? ", …" : ""}` : "")]);
  };
  const attempt = async () => {
    const asked = query.value;
    const finds = await call("answers/finds", { ...answer, query: asked, text: now });
    if (query.value === asked) tell(finds);
  };
  query.addEventListener("input", () => attempt().catch(say));
  const options = choices.map((choice, number) => make("label", { class: "choice" },
    make("input", {
      type: "radio", name: "choice", checked: number === 0, onchange: () => {
        query.value = choice.query;
        if (name.value === named) name.value = choice.name;
        named = choice.name;
        tell(choice.finds);
      },
    }), make("span", {}, choice.isList ? "the list" : "this one", " ", make("code", {}, choice.query),
      make("span", { class: "soft" }, ` ${countText(choice.finds.count)} found`))));
  const form = make("form", {
    class: "pop take", "aria-label": "Extract a value", onsubmit: async (event) => {
      event.preventDefault();
      try {
        const written = await call("answers/extract", { ...answer, name: name.value, query: query.value, text: now });
        closePopup(true);
        text.set(written.text, written.place);
        toast(`'${name.value}' is written into the text of ${file.path}. It is not saved yet.`,
          link({ file: file.path, place: "draft" }, { class: "button small" }, "To the text"));
      } catch (error) {
        say(error);
      }
    },
  },
  known.length > 0 && make("p", { class: "soft" }, `It is extracted already, as ${known.join(", ")}.`),
  make("fieldset", {}, make("legend", {}, "Extract"), options),
  make("label", { for: "extract-query" }, "Query"), query, result,
  make("label", { for: "extract-name" }, "Name"), name,
  make("div", { class: "actions" }, make("button", { class: "button primary small" }, "Write it into the text"),
    button("Cancel", () => closePopup(true), { class: "small quiet" })));
  // It has its whole height before it gets its place.
  tell(choices[0].finds);
  popup(form, x, y, back);
  form.querySelector("input").focus();
}
