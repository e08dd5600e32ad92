// `npm run auditoria`: asks the registry for advisories about the locked packages. Exit codes: 0 nothing grave, 1
// something grave, 2 no answer from the registry.
import { spawnSync } from 'node:child_process'
import { npmCommand, ROOT, say } from './toolchain.mjs'

const GRAVES = ['critical', 'high']
const EM_PORTUGUES = { critical: 'crítica', high: 'alta', moderate: 'moderada', low: 'baixa', info: 'informativa' }
const SEM_RESPOSTA = 2

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

/** Each advisory once, at the package that has it, with the packages that depend on it. */
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

/** Prints the advisories and returns the exit code. `--omit=dev` checks only the packages of the product. */
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
