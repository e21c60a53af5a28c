// The form of a workflow's inputs.
import { make } from "/dom.js";
import { quoted } from "/shell.js";

/**
 * The form of a workflow's inputs.
 *
 * @returns Its elements, and what a person has filled in. A field that is left empty is not given.
 */
export function inputForm(form, { secretsOnly = false } = {}) {
  const fields = [];
  const chosen = make("select", { id: "environment" }, make("option", { value: "" }, "none"),
    form.environments.map((environment) => make("option", { value: environment.name }, environment.name)));
  const rows = form.inputs.filter((input) => !secretsOnly || input.isSecret).map((input) => {
    const id = `input-${input.name}`;
    const about = [input.description ? `${input.description} ` : null];
    let control;
    if (input.isSecret) {
      control = make("input", { type: "password", id, autocomplete: "new-password", "aria-describedby": `${id}-about` });
      about.push("A secret: it is given to this run and stored nowhere. ");
      if (input.variable) {
        about.push(input.isSet ? `Taken from $${input.variable}, which is set; type to use another.`
          : `Taken from $${input.variable}, which is not set, or from where secrets are kept.`);
      }
    } else if (input.allowed.length > 0 || input.type === "boolean") {
      const values = input.allowed.length > 0 ? input.allowed : ["true", "false"];
      control = make("select", { id, "aria-describedby": `${id}-about` },
        make("option", { value: "" }, input.isRequired ? "choose" : "as written"),
        values.map((value) => make("option", { value }, value)));
    } else if (input.type === "array" || input.type === "object" || input.type === "any") {
      control = make("textarea", { id, rows: "3", spellcheck: "false", "aria-describedby": `${id}-about` });
      about.push(input.type === "any" ? "A text, or JSON." : `JSON: an ${input.type}.`);
    } else {
      const types = { integer: "number", number: "number", date: "date" };
      control = make("input", {
        // A date may be 'now-1d' in the text, which no date field shows.
        type: types[input.type] ?? "text", step: input.type === "integer" ? "1" : "any", id,
        spellcheck: "false", autocomplete: "off", "aria-describedby": `${id}-about`,
      });
      if (input.type === "datetime") about.push("Such as 2026-01-31T12:00:00Z or now-1d.");
    }
    const hint = make("span", {});
    const show = () => {
      const own = form.environments.find((item) => item.name === chosen.value)?.values[input.name];
      const value = own ?? input.default;
      if ("placeholder" in control && !input.isSecret) control.placeholder = value ?? "";
      hint.textContent = input.isSecret || value === undefined ? ""
        : `Left empty: ${value}${own === undefined ? "" : `, of '${chosen.value}'`}.`;
    };
    chosen.addEventListener("change", show);
    show();
    if (input.isRequired && !(input.isSecret || input.variable)) control.required = true;
    fields.push({ input, control });
    return make("div", { class: "field" }, make("label", { for: id }, input.name),
      make("span", { class: "type" }, input.isSecret ? "secret" : input.allowed.length ? `one of ${input.allowed.length}` : input.type),
      control, make("p", { class: "note", id: `${id}-about` }, about, hint));
  });
  return {
    rows, chosen,
    values() {
      const given = {};
      for (const { input, control } of fields) {
        if (control.value === "") continue;
        let { value } = control;
        if (input.type === "any") {
          try { value = JSON.parse(value); } catch { /* It is a text. */ }
        }
        given[input.name] = value;
      }
      return given;
    },
    /** The same as options of a command line. Secrets are left out. */
    words() {
      const words = fields.filter(({ input, control }) => control.value !== "" && !input.isSecret)
        .map(({ input, control }) => `--set ${quoted(`${input.name}=${control.value}`)}`);
      if (chosen.value) words.push(`--environment ${quoted(chosen.value)}`);
      return words;
    },
    forget() { for (const { input, control } of fields) if (input.isSecret) control.value = ""; },
  };
}
