/**
 * Points where a test can kill the process (`FALHA=point:n`) or stop it until SIGCONT (`FALHA=point:n:para`), by the
 * path of a message, AI question, file or session key.
 */
export const BOT_CRASH_POINTS = [
  'entrada.recebida',
  'entrada.antes-commit',
  'entrada.apos-commit',
  'resposta.antes-commit',
  'saida.reivindicada',
  'saida.enviada',
  'saida.marcada',
] as const
export const JOIN_CRASH_POINTS = ['juncao.antes-commit', 'juncao.apos-commit'] as const
export const FONTE_CRASH_POINTS = ['fonte.lida', 'fonte.antes-commit'] as const
export const IA_CRASH_POINTS = ['ia.antes', 'ia.depois'] as const
export const ARQUIVO_CRASH_POINTS = ['upload.linha-gravada', 'upload.arquivo-gravado'] as const
export const JOURNAL_CRASH_POINTS = ['chegada.antes-commit', 'chegada.apos-commit'] as const
const CONTA_CRASH_POINTS = ['conta.antes-commit'] as const
/**
 * Points of a send with a claim: `saida` names the lease that tries it, and the node was allowed to send right before
 * the wire.
 */
const CLAIM_CRASH_POINTS = ['saida.tentada', 'saida.permitida'] as const
export const TAKEOVER_CRASH_POINTS = ['lease.tomado', 'linha.aberta'] as const
const TIMER_CRASH_POINTS = [
  'distribuicao.antes-commit',
  'distribuicao.apos-commit',
  'prazo.antes-commit',
  'prazo.apos-commit',
  'agendada.antes-commit',
  'agendada.apos-commit',
  'despedida.antes-commit',
  'despedida.apos-commit',
  'impressao.impressa',
  'lembrete.antes-commit',
  'lembrete.apos-commit',
  'resumo.antes-commit',
  'resumo.apos-commit',
  'transcricao.reivindicada',
  'transcricao.respondida',
] as const
export const IMPORT_CRASH_POINTS = [
  'importacao.lida',
  'importacao.parte-gravada',
  'importacao.antes-commit',
  'importacao.apos-commit',
] as const
export const BUS_CRASH_POINTS = ['recado.antes', 'recado.depois'] as const
const LEASE_CRASH_POINTS = ['lease.renovar'] as const
const MIGRATION_CRASH_POINTS = ['migracao.passo'] as const
const CRASH_POINTS = [
  ...BOT_CRASH_POINTS,
  ...JOURNAL_CRASH_POINTS,
  ...JOIN_CRASH_POINTS,
  ...IA_CRASH_POINTS,
  ...FONTE_CRASH_POINTS,
  ...ARQUIVO_CRASH_POINTS,
  ...CONTA_CRASH_POINTS,
  ...TAKEOVER_CRASH_POINTS,
  ...BUS_CRASH_POINTS,
  ...TIMER_CRASH_POINTS,
  ...IMPORT_CRASH_POINTS,
  ...CLAIM_CRASH_POINTS,
  ...LEASE_CRASH_POINTS,
  ...MIGRATION_CRASH_POINTS,
] as const
export type CrashPoint = (typeof CRASH_POINTS)[number]

export type CrashPoints = (point: CrashPoint) => void

const SIGNALS: ReadonlyMap<string, NodeJS.Signals> = new Map([
  ['morre', 'SIGKILL'],
  ['para', 'SIGSTOP'],
])

/**
 * `value` is the environment variable `FALHA`. Throws on an unknown name, so that a test cannot pass without a
 * crash. Without a value, each point is an empty function.
 */
export function createCrashPoints(value: string | undefined): CrashPoints {
  if (value === undefined) return () => {}
  const [name, times = '1', act = 'morre'] = value.split(':')
  const target = CRASH_POINTS.find((point) => point === name)
  const signal = SIGNALS.get(act)
  if (target === undefined || signal === undefined) throw new Error(`unknown crash point in FALHA: ${value}`)
  let left = Number(times)
  return (point) => {
    if (point === target && --left === 0) process.kill(process.pid, signal)
  }
}
