// A run or a recording becomes a test of its workflow.
import { button, closePopup, make, popup, toast, twin } from "/dom.js";
import { call } from "/rpc.js";
import { quoted } from "/shell.js";
import { sourceNames, sourceWords } from "/sources.js";

/**
 * A button that asks for the test's name and has it made.
 *
 * @param source The run or the recording.
 * @param changed Called when files have changed.
 */
export function testButton(file, source, { link, changed }) {
  const begin = button("Make a test", () => {
    const name = make("input", { type: "text", id: "test-name", value: "as recorded", required: true, spellcheck: "false" });
    const command = twin("");
    const show = () => {
      command.textContent = `pipeline new --test ${quoted(source.recording ?? source.run)}${name.value === "as recorded" ? "" : ` --name ${quoted(name.value)}`}`;
    };
    show();
    const done = make("button", { class: "button primary small" }, "Make the test");
    const form = make("form", {
      class: "pop", "aria-label": "Make a test", oninput: show, onsubmit: async (event) => {
        event.preventDefault();
        done.disabled = true;
        try {
          const result = await call("tests/make", { path: file.path, ...sourceNames(source), name: name.value });
          closePopup(true);
          if (result.status !== 0) {
            toast(result.error.trim());
            return;
          }
          await changed();
          toast(`Test '${name.value}' is made, and it passes.`,
            link({ file: file.path, view: "tests" }, { class: "button small" }, "To the tests"));
        } catch (error) {
          closePopup(true);
          toast(error.message);
        }
      },
    }, make("p", {}, `It replays ${sourceWords(source)}, and expects what comes of it. Nothing is sent.`),
    make("label", { for: "test-name" }, "Name of the test"), name,
    make("div", { class: "actions" }, done, button("Cancel", () => closePopup(true), { class: "small quiet" })), command);
    const box = begin.getBoundingClientRect();
    popup(form, box.left, box.bottom + 4, begin);
    name.select();
  }, { class: "small" });
  return begin;
}
