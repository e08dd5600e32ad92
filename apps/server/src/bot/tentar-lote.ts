import type { Tx } from '#db/transaction.ts'
import type { Decisao } from './decisao.ts'
import { MotorFalhou } from './decidir.ts'
import { ContatoSumiu, type Gravacao, type GravarLote, type Modo, NORMAL } from './gravar-lote.ts'
import { LimiteAtingido, type Uso } from './hot-write.ts'
import { avisarMarcas } from './limite.ts'
import type { Localizador, Pronto } from './localizar-contatos.ts'
import type { BotDeps } from './runtime-deps.ts'
import type { TurnoBot } from './turno.ts'

export interface TentativasOptions extends Localizador {
  readonly gravarLote: GravarLote
  readonly aposCommit: (decisoes: readonly Decisao[]) => void
}

/**
 * Runs a batch in one transaction and repeats it turn by turn if it fails. Settles every turn. Returns turns whose
 * contato was already in the batch.
 */
export type TentarLote = (prontos: readonly Pronto[]) => Promise<readonly TurnoBot[]>

export function createTentativas(
  deps: BotDeps,
  { localizar, esquecer, gravarLote, aposCommit }: TentativasOptions,
): TentarLote {
  const { log, falha } = deps

  const confirmar = async (prontos: readonly Pronto[], modo: Modo): Promise<Confirmacao> => {
    const contas = [...new Set(prontos.map(({ contexto }) => contexto.contaId))]
    let usos: Promise<Uso[]> | undefined
    const gravar = async (tx: Tx): Promise<Confirmacao> => {
      const { itens, adiados } = await localizar(tx, prontos)
      const gravacao = await gravarLote(tx, itens, modo)
      ;({ usos } = gravacao)
      return { ...gravacao, adiados }
    }
    try {
      return await deps.db.transaction(contas, gravar, 'indices')
    } catch (error) {
      // The statement's error is more specific than the error of the COMMIT behind it.
      await usos
      throw error
    }
  }

  const tentar = async (prontos: readonly Pronto[], modo: Modo): Promise<readonly TurnoBot[]> => {
    const { decisoes, usos, adiados } = await confirmar(prontos, modo)
    const feitos = prontos.filter(({ turno }) => !adiados.includes(turno))
    for (const { turno } of feitos) if (turno.tipo === 'mensagem') falha('entrada.apos-commit')
    for (const { turno } of feitos) turno.resolver()
    if (decisoes.length > 0) aposCommit(decisoes)
    avisarMarcas(deps, await usos).catch((error: unknown) => log.warn({ err: error }, 'daily-limit e-mail not queued'))
    return adiados
  }

  const tentarUm = async (pronto: Pronto, modo: Modo = NORMAL, restam = 3): Promise<void> => {
    try {
      await tentar([pronto], modo)
    } catch (error) {
      if (error instanceof ContatoSumiu) esquecer(pronto.turno.chave)
      const proximo = restam > 0 ? outroModo(error, modo, pronto.turno) : null
      if (proximo !== null) return tentarUm(pronto, proximo, restam - 1)
      log.error({ err: error, contaId: pronto.turno.contaId }, 'message not stored')
      esquecer(pronto.turno.chave)
      pronto.turno.rejeitar(error)
    }
  }

  const tentarLote = async (prontos: readonly Pronto[]): Promise<readonly TurnoBot[]> => {
    if (prontos.length === 0) return []
    const [unico, ...outros] = prontos
    if (unico !== undefined && outros.length === 0) {
      await tentarUm(unico)
      return []
    }
    try {
      return await tentar(prontos, NORMAL)
    } catch (error) {
      const limitadas = new Set(error instanceof LimiteAtingido ? error.contas : [])
      if (limitadas.size === 0)
        log.warn({ err: error, mensagens: prontos.length }, 'batch failed, retrying turn by turn')
      const sozinhos = prontos.filter(({ contexto }) => limitadas.size === 0 || limitadas.has(contexto.contaId))
      const adiados = await tentarLote(prontos.filter((pronto) => !sozinhos.includes(pronto)))
      for (const pronto of sozinhos) await tentarUm(pronto)
      return adiados
    }
  }

  return tentarLote
}

interface Confirmacao extends Gravacao {
  readonly adiados: readonly TurnoBot[]
}

/** Retried unchanged: unique violation of a repeated message id, deadlock, serialization failure. */
const REPETIVEIS = new Set(['23505', '40P01', '40001'])

function outroModo(error: unknown, modo: Modo, { tipo }: TurnoBot): Modo | null {
  if (error instanceof ContatoSumiu) return tipo === 'mensagem' ? modo : null
  if (error instanceof LimiteAtingido) return modo.contar ? null : { ...modo, contar: true }
  // The engine failed: store the message without an answer, so that the queue continues.
  if (error instanceof MotorFalhou) return { ...modo, mudo: true }
  return error instanceof Error && 'code' in error && REPETIVEIS.has(String(error.code)) ? modo : null
}
