/** The style sheet of the reference page. */
export const STYLE = `
:root { color-scheme: light dark; --line: #8884; --soft: #8881; --link: light-dark(#0b57d0, #8ab4f8); }
body { margin: 0; font: 15px/1.5 system-ui, sans-serif; display: grid;
  grid-template-columns: 17rem minmax(0, 1fr); }
nav { position: sticky; top: 0; height: 100vh; overflow: auto; box-sizing: border-box;
  padding: 1rem; border-right: 1px solid var(--line); font-size: 13px; }
nav ul { list-style: none; margin: .2rem 0 .8rem; padding-left: .8rem; }
nav summary { font-weight: 600; cursor: pointer; }
main { padding: 1rem 2rem 4rem; max-width: 60rem; }
a { color: var(--link); text-decoration: none; }
a:hover { text-decoration: underline; }
h2 { margin-top: 3rem; border-bottom: 1px solid var(--line); }
article { border-bottom: 1px solid var(--line); padding-bottom: 1.5rem; }
h4 { margin-bottom: .4rem; }
code, pre { font: 13px/1.45 ui-monospace, monospace; }
pre { background: var(--soft); padding: .8rem; overflow: auto; border-radius: 6px; max-height: 30rem; }
table { border-collapse: collapse; width: 100%; font-size: 13px; }
th, td { text-align: left; vertical-align: top; padding: .3rem .6rem .3rem 0;
  border-bottom: 1px solid var(--line); }
td:last-child { overflow-wrap: anywhere; }
th { white-space: nowrap; }
em { color: #c5221f; font-size: 11px; margin-left: .4rem; }
.method { font: 600 12px ui-monospace, monospace; padding: .15rem .4rem; border-radius: 4px;
  color: #fff; background: #5f6368; }
.get { background: #0b57d0; } .post { background: #137333; } .delete { background: #c5221f; }
.patch, .put { background: #8f5300; }
.note, .type, .response { font-size: 13px; opacity: .8; }
.response { margin: .2rem 0; }
.text { white-space: pre-line; }
details > summary { cursor: pointer; }
@media (max-width: 50rem) { body { display: block; } nav { position: static; height: auto; border: 0; }
  main { padding: 1rem; } }
`;
