// The checks, cheapest first; the first that fails ends the run.
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

const PASSOS = [
  { nome: 'formato', passo: async () => runNode([binOf('oxfmt'), '--check', '.']) },
  { nome: 'lint', passo: async () => runNode([binOf('oxlint'), '--type-aware', '--quiet']) },
  { nome: 'tipos', passo: types },
  { nome: 'paredes', passo: walls },
  { nome: 'sobras', passo: async () => runNode([binOf('knip', 'knip')]) },
  { nome: 'painel', passo: panel },
  { nome: 'peso', passo: async () => runNode([join(ROOT, 'apps', 'web', 'scripts', 'budget.mjs')]) },
  { nome: 'testes', passo: async (args) => runNode([binOf('vitest'), 'run', ...args]) },
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

/** Runs every step; with arguments (a test's path) only the tests. Resolves with the exit code. */
export async function check(args = []) {
  const passos = args.length === 0 ? PASSOS : PASSOS.filter(({ nome }) => nome === 'painel' || nome === 'testes')
  for (const { nome, passo } of passos) {
    const inicio = Date.now()
    const codigo = await passo(args)
    say(`${nome}: ${codigo === 0 ? 'ok' : 'FALHOU'} em ${((Date.now() - inicio) / 1000).toFixed(1)} s`)
    if (codigo !== 0) return codigo
  }
  return 0
}
