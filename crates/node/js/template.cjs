"use strict";
/** Templates in the language of ejs, as far as snarkjs' contracts take it: `<% %>`, `<%= %>`, `<%- %>`, `<%# %>`, `-%>`. */

const ENTITIES = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&#34;", "'": "&#39;" };

const escape = (value) => String(value ?? "").replace(/[&<>"']/g, (character) => ENTITIES[character]);

/** Renders a template with values by name. A template is a program: it has the rights of its caller. */
function render(template, values) {
    let program = "";
    let at = 0;
    for (const match of template.matchAll(/<%([=\-_#]?)([\s\S]*?)([-_]?)%>(\n?)/g)) {
        const [all, kind, code, trim, end] = match;
        program += write(template.slice(at, match.index));
        at = match.index + all.length;
        if (kind === "=") {
            program += `out.push(escape(${code}));`;
        } else if (kind === "-") {
            program += `out.push(${code});`;
        } else if (kind !== "#") {
            program += `${code}\n`;
        }
        program += trim === "-" ? "" : write(end);
    }
    program += write(template.slice(at));
    const out = [];
    new Function("values", "out", "escape", `with (values) {${program}}`)(values, out, escape);
    return out.join("");
}

const write = (text) => `out.push(${JSON.stringify(text)});`;

module.exports = { render };
