// `npm run auditoria`: asks the registry what is known against the packages of the lock. Once a week is often enough; a
// machine may ask: 0 nothing grave, 1 something grave, 2 nobody answered.
import { spawnSync } from 'node:child_process'
import { npmCommand, ROOT, say } from './toolchain.mjs'

const GRAVES = ['critical', 'high']
const EM_PORTUGUES = { critical: 'crítica', high: 'alta', moderate: 'moderada', low: 'baixa', info: 'informativa' }
const SEM_RESPOSTA = 2

/** npm's own answer; null when the registry gave none. */
function perguntar(args) {
  const [programa, ...antes] = npmCommand()
  const { stdout } = spawnSync(programa, [...antes, 'audit', '--json', '--package-lock-only', ...args], {
    cwd: ROOT,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
    shell: process.platform === 'win32',
    maxBuffer: 64 * 1024 * 1024,
  })
  try {
    const lido = JSON.parse(stdout)
    return lido.vulnerabilities === undefined ? null : Object.values(lido.vulnerabilities)
  } catch {
    return null
  }
}

/** Each warning once, in the package that has it; packages that only bring such a package along are named beside it. */
function avisosDe(vulneraveis) {
  return vulneraveis.flatMap(({ name, via, effects, fixAvailable }) =>
    via
      .filter((motivo) => typeof motivo === 'object')
      .map(({ severity, title, url, range }) => ({ name, severity, title, url, range, effects, fixAvailable })),
  )
}

function contar({ name, severity, title, url, range, effects, fixAvailable }) {
  const por = effects.length === 0 ? '' : `\n    vem com: ${effects.join(', ')}`
  const conserto = fixAvailable === false ? 'ainda sem correção' : 'há correção'
  process.stdout.write(
    `${EM_PORTUGUES[severity] ?? severity} · ${name} ${range}: ${title}\n    ${url} · ${conserto}${por}\n`,
  )
}

const plural = (quantos, nome) => `${quantos} ${nome}${quantos === 1 ? '' : 's'}`

/** Asks, tells, and gives the exit code. With `--omit=dev` only what the product is made of is asked for. */
export async function auditoria(args) {
  const vulneraveis = perguntar(args)
  if (vulneraveis === null) {
    say('o registro do npm não respondeu à auditoria. Confira a conexão e rode o comando de novo.')
    return SEM_RESPOSTA
  }
  const avisos = avisosDe(vulneraveis)
  for (const aviso of avisos) contar(aviso)
  const graves = avisos.filter(({ severity }) => GRAVES.includes(severity)).length
  say(
    avisos.length === 0
      ? 'nada conhecido contra as dependências travadas'
      : `${plural(avisos.length, 'aviso')}, ${plural(graves, 'grave')}`,
  )
  return graves === 0 ? 0 : 1
}
