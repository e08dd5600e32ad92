// Builds the panel when its sources changed since the last build.
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { binOf, fail, ROOT, runNode, say } from './toolchain.mjs'

const WEB = join(ROOT, 'apps', 'web')
const SELO = join(WEB, 'dist', '.fontes')
const FONTES = ['apps/web', 'docs/manual', 'packages/contract/src', 'packages/engine/src', 'package-lock.json']

function sourceHash() {
  const soma = createHash('sha256')
  const visit = (caminho) => {
    if (statSync(caminho).isDirectory()) {
      for (const nome of readdirSync(caminho).sort()) {
        if (nome !== 'dist' && nome !== 'node_modules' && nome !== 'test') visit(join(caminho, nome))
      }
    } else soma.update(caminho.slice(ROOT.length)).update(readFileSync(caminho))
  }
  for (const fonte of FONTES) visit(join(ROOT, fonte))
  return soma.digest('hex')
}

export async function ensureBuilt() {
  const esperado = sourceHash()
  if (existsSync(SELO) && readFileSync(SELO, 'utf8') === esperado) return
  say('preparando o painel…')
  const codigo = await runNode([binOf('vite'), 'build', '--logLevel', 'warn'], { cwd: WEB })
  if (codigo !== 0) fail('não foi possível preparar o painel; a causa está nas linhas acima.')
  await runNode([join(ROOT, 'apps', 'server', 'warm.mjs')])
  writeFileSync(SELO, esperado)
}
