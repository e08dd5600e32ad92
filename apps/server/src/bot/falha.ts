/**
 * Points where a test can kill the process (`FALHA=point:n`), by the path of a message, AI question, file or
 * session key.
 */
export const PONTOS_FALHA = [
  'entrada.recebida',
  'entrada.antes-commit',
  'entrada.apos-commit',
  'resposta.antes-commit',
  'saida.reivindicada',
  'saida.enviada',
  'saida.marcada',
] as const
export const PONTOS_IA = ['ia.antes', 'ia.depois'] as const
export const PONTOS_ARQUIVO = ['upload.linha-gravada', 'upload.arquivo-gravado'] as const
/** Points around the commit of the session keys that decrypted a message. */
export const PONTOS_CHEGADA = ['chegada.antes-commit', 'chegada.apos-commit'] as const
const PONTOS = [...PONTOS_FALHA, ...PONTOS_CHEGADA, ...PONTOS_IA, ...PONTOS_ARQUIVO] as const
export type PontoFalha = (typeof PONTOS)[number]

export type Falha = (ponto: PontoFalha) => void

/**
 * `valor` is the environment variable `FALHA`. Throws on an unknown name, so that a test cannot pass without a
 * crash. Without a value, each point is an empty function.
 */
export function createFalha(valor: string | undefined): Falha {
  if (valor === undefined) return () => {}
  const [nome, vezes = '1'] = valor.split(':')
  const alvo = PONTOS.find((ponto) => ponto === nome)
  if (alvo === undefined) throw new Error(`unknown crash point in FALHA: ${valor}`)
  let faltam = Number(vezes)
  return (ponto) => {
    if (ponto === alvo && --faltam === 0) process.kill(process.pid, 'SIGKILL')
  }
}
