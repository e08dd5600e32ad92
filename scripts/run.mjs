// The other npm scripts: each installs missing dependencies and runs with the project's Node.
import { join } from 'node:path'
import { binOf, ensureInstalled, fail, ROOT, runNode } from './toolchain.mjs'

const [comando = '', ...args] = process.argv.slice(2)
/** This command reads only the lock, so it installs nothing. */
const SO_DA_TRAVA = ['componentes']
if (!SO_DA_TRAVA.includes(comando)) ensureInstalled()
const cli = join(ROOT, 'apps', 'server', 'src', 'cli.ts')

const COMANDOS = {
  build: async () => (await import('./build.mjs')).ensureBuilt(),
  check: async () => {
    process.env.CHROME_BIN = (await import('./chromium.mjs')).ensureChromium()
    return (await import('./check.mjs')).check(args)
  },
  fix: async () => (await runNode([binOf('oxlint'), '--fix', '--quiet'])) || runNode([binOf('oxfmt'), '.']),
  dev: async () => {
    void runNode(['--watch', join(ROOT, 'apps', 'server', 'src', 'main.ts')])
    return runNode([binOf('vite')], { cwd: join(ROOT, 'apps', 'web') })
  },
  bench: async () => {
    process.env.CHROME_BIN = (await import('./chromium.mjs')).ensureChromium()
    return runNode([join(ROOT, 'bench', 'main.ts'), ...args])
  },
  // Needs no build: it measures only the connectors.
  'bench:whatsapp': async () => {
    process.env.CHROME_BIN = (await import('./chromium.mjs')).ensureChromium()
    return runNode([join(ROOT, 'bench', 'main.ts'), 'whatsapp', ...args])
  },
  'soak:whatsapp': async () => runNode([join(ROOT, 'bench', 'whatsapp', 'soak', 'main.ts'), ...args]),
  'db:export': async () => runNode([cli, 'export', ...args]),
  'db:import': async () => runNode([cli, 'import', ...args]),
  'db:restaurada': async () => runNode([cli, 'restaurada', ...args]),
  'db:liberar': async () => runNode([cli, 'liberar', ...args]),
  'db:reseal': async () => runNode([cli, 'reseal']),
  'admin:senha': async () => runNode([cli, 'senha', ...args]),
  falhas: async () => (await import('./falhas.mjs')).falhas(args),
  auditoria: async () => (await import('./auditoria.mjs')).auditoria(args),
  componentes: async () => (await import('./componentes.mjs')).componentes(args),
  'imagem:verificar': async () => (await import('./imagem.mjs')).imagem(args),
}

const escolhido = COMANDOS[comando]
if (escolhido === undefined) fail(`comando desconhecido: ${comando}`)
process.exitCode = (await escolhido()) ?? 0
