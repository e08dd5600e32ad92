// The checks, cheapest first. The first group with a failure ends the run.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { checkKnown } from './auditoria.mjs'
import { ensureBuilt } from './build.mjs'
import { checkCopies } from './check-copies.mjs'
import { checkProse } from './check-prose.mjs'
import { checkStructure } from './check-structure.mjs'
import { conferirLicencas } from './componentes.mjs'
import { binOf, ROOT, runNode, say } from './toolchain.mjs'

/** Largest first, so that the lanes of `checkTypes` end together. */
const PROJECTS = [
  'apps/server',
  'apps/web',
  'bench',
  'e2e',
  'packages/contract',
  'packages/whatsapp',
  'packages/engine',
  'packages/connector',
]
const TYPE_LANES = 2

/** `packages/whatsapp` may be absent. Then the files that import it are neither linted nor type-checked. */
const WITHOUT_WHATSAPP = !existsSync(join(ROOT, 'packages', 'whatsapp'))
const NEEDS_WHATSAPP = ['apps/server/test/whatsapp', 'e2e/whatsapp.test.ts', 'bench/whatsapp.ts', 'bench/whatsapp']
const UNLINTED = WITHOUT_WHATSAPP ? NEEDS_WHATSAPP.map((path) => `--ignore-pattern=${path}`) : []

/** Groups in order. The steps of a group run in parallel, most of them on a single core. */
const GROUPS = [
  [
    { name: 'formato', run: async () => runNode([binOf('oxfmt'), '--check', '.']) },
    { name: 'lint', run: async () => runNode([binOf('oxlint'), '--type-aware', '--quiet', ...UNLINTED]) },
    { name: 'texto', run: async () => checkProse() },
    { name: 'estrutura', run: async () => checkStructure() },
    { name: 'cópias', run: async () => checkCopies() },
    { name: 'licenças', run: async () => conferirLicencas() },
    { name: 'vulnerabilidades', run: async () => (checkKnown() === 0 ? 0 : 1) },
  ],
  [
    { name: 'tipos', run: checkTypes },
    { name: 'paredes', run: checkImports },
    { name: 'sobras', run: async () => runNode([binOf('knip', 'knip')]) },
    { name: 'painel', run: buildPanel },
  ],
  [{ name: 'peso', run: async () => runNode([join(ROOT, 'apps', 'web', 'scripts', 'budget.mjs')]) }],
  [{ name: 'testes', run: async (args) => runNode([binOf('vitest'), 'run', ...args]) }],
]

async function checkImports() {
  return runNode([binOf('dependency-cruiser', 'depcruise'), '--config', '.dependency-cruiser.mjs', 'apps', 'packages'])
}

async function buildPanel() {
  await ensureBuilt()
  return 0
}

/** One checker per project: the four default checkers of `tsc` repeat each other's work, 21 s of CPU instead of 14 s. */
async function checkTypes() {
  const waiting = PROJECTS.filter((path) => existsSync(join(ROOT, path)))
  const lane = async () => {
    for (let project = waiting.shift(); project !== undefined; project = waiting.shift()) {
      const reduced = join(ROOT, project, 'tsconfig.without-whatsapp.json')
      const config = WITHOUT_WHATSAPP && existsSync(reduced) ? reduced : join(ROOT, project)
      const code = await runNode([binOf('typescript', 'tsc'), '-p', config, '--checkers', '1'])
      if (code !== 0) return code
    }
    return 0
  }
  const codes = await Promise.all(Array.from({ length: TYPE_LANES }, lane))
  return codes.find((code) => code !== 0) ?? 0
}

async function runStep({ name, run }, args) {
  const start = Date.now()
  const code = await run(args)
  say(`${name}: ${code === 0 ? 'ok' : 'FALHOU'} em ${((Date.now() - start) / 1000).toFixed(1)} s`)
  return code
}

/** Runs every step; with arguments (paths of tests) only the tests. Resolves with the exit code. */
export async function check(args = []) {
  for (const group of GROUPS) {
    const steps = group.filter(({ name }) => args.length === 0 || name === 'painel' || name === 'testes')
    const codes = await Promise.all(steps.map((step) => runStep(step, args)))
    const failure = codes.find((code) => code !== 0)
    if (failure !== undefined) return failure
  }
  return 0
}
