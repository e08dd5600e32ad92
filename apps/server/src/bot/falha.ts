/** Where a test may kill the process (`FALHA=ponto:n`): each name is one instant of a message's way. */
export const PONTOS_FALHA = [
  'entrada.recebida',
  'entrada.antes-commit',
  'entrada.apos-commit',
  'resposta.antes-commit',
  'saida.reivindicada',
  'saida.enviada',
  'saida.marcada',
] as const
/** The same on the way of a question to the AI: before it is asked, and before its answer is committed. */
export const PONTOS_IA = ['ia.antes', 'ia.depois'] as const
/** And on the way of a file: its row is written, its bytes are. */
export const PONTOS_ARQUIVO = ['upload.linha-gravada', 'upload.arquivo-gravado'] as const
/** And on the way of a message into a session's journal: around the commit of the ratchet's step that read it. */
export const PONTOS_CHEGADA = ['chegada.antes-commit', 'chegada.apos-commit'] as const
const PONTOS = [...PONTOS_FALHA, ...PONTOS_CHEGADA, ...PONTOS_IA, ...PONTOS_ARQUIVO] as const
export type PontoFalha = (typeof PONTOS)[number]

export type Falha = (ponto: PontoFalha) => void

/**
 * Takes the value of the environment's `FALHA`; without one, passing a point costs a call of an empty function.
 * Throws on a name that does not exist, so that no test passes by never dying.
 */
export function createFalha(valor: string | undefined): Falha {
  if (valor === undefined) return () => {}
  const [nome, vezes = '1'] = valor.split(':')
  const alvo = PONTOS.find((ponto) => ponto === nome)
  if (alvo === undefined) throw new Error(`FALHA names no crash point: ${valor}`)
  let faltam = Number(vezes)
  return (ponto) => {
    if (ponto === alvo && --faltam === 0) process.kill(process.pid, 'SIGKILL')
  }
}
