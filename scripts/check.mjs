// The checks, cheapest first. The first group with a failure ends the run.
import { join } from 'node:path'
import { ensureBuilt } from './build.mjs'
import { binOf, ROOT, runNode, say } from './toolchain.mjs'

const PROJETOS = [
  'packages/contract',
  'packages/engine',
  'packages/whatsapp',
  'apps/server',
  'apps/web',
  'e2e',
  'bench',
]

/** Groups in order. The steps of a group run in parallel, most of them on a single core. */
const TURNOS = [
  [
    { nome: 'formato', passo: async () => runNode([binOf('oxfmt'), '--check', '.']) },
    { nome: 'lint', passo: async () => runNode([binOf('oxlint'), '--type-aware', '--quiet']) },
  ],
  [{ nome: 'tipos', passo: types }],
  [
    { nome: 'paredes', passo: walls },
    { nome: 'sobras', passo: async () => runNode([binOf('knip', 'knip')]) },
    { nome: 'painel', passo: panel },
  ],
  [{ nome: 'peso', passo: async () => runNode([join(ROOT, 'apps', 'web', 'scripts', 'budget.mjs')]) }],
  [{ nome: 'testes', passo: async (args) => runNode([binOf('vitest'), 'run', ...args]) }],
]

async function walls() {
  return runNode([binOf('dependency-cruiser', 'depcruise'), '--config', '.dependency-cruiser.mjs', 'apps', 'packages'])
}

async function panel() {
  await ensureBuilt()
  return 0
}

async function types() {
  for (const projeto of PROJETOS) {
    const codigo = await runNode([binOf('typescript', 'tsc'), '-p', join(ROOT, projeto)])
    if (codigo !== 0) return codigo
  }
  return 0
}

async function run({ nome, passo }, args) {
  const inicio = Date.now()
  const codigo = await passo(args)
  say(`${nome}: ${codigo === 0 ? 'ok' : 'FALHOU'} em ${((Date.now() - inicio) / 1000).toFixed(1)} s`)
  return codigo
}

/** Runs every step; with arguments (paths of tests) only the tests. Resolves with the exit code. */
export async function check(args = []) {
  for (const turno of TURNOS) {
    const passos = turno.filter(({ nome }) => args.length === 0 || nome === 'painel' || nome === 'testes')
    const codigos = await Promise.all(passos.map((passo) => run(passo, args)))
    const falha = codigos.find((codigo) => codigo !== 0)
    if (falha !== undefined) return falha
  }
  return 0
}
