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
  /** After each commit, in order; `decisoes` leaves out what was a repetition. */
  readonly aposCommit: (decisoes: readonly Decisao[]) => void
}

/**
 * A batch → its transaction, and what to try again how. Settles every turn; gives back those whose contact another turn of the
 * batch speaks for.
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
      // The statement's own error says more than that of the COMMIT behind it.
      await usos
      throw error
    }
  }

  /** One transaction. Gives back the turns whose contact another turn of the batch speaks for. */
  const tentar = async (prontos: readonly Pronto[], modo: Modo): Promise<readonly TurnoBot[]> => {
    const { decisoes, usos, adiados } = await confirmar(prontos, modo)
    const feitos = prontos.filter(({ turno }) => !adiados.includes(turno))
    for (const { turno } of feitos) if (turno.tipo === 'mensagem') falha('entrada.apos-commit')
    for (const { turno } of feitos) turno.resolver()
    if (decisoes.length > 0) aposCommit(decisoes)
    avisarMarcas(deps, await usos).catch((error: unknown) =>
      log.warn({ err: error }, 'an owner was not told of the limit'),
    )
    return adiados
  }

  /** What the batch refused is done one by one, so that nothing is held up by a neighbour. */
  const tentarUm = async (pronto: Pronto, modo: Modo = NORMAL, restam = 3): Promise<void> => {
    try {
      await tentar([pronto], modo)
    } catch (error) {
      // Whoever was erased a moment ago and writes is a new customer.
      if (error instanceof ContatoSumiu) esquecer(pronto.turno.chave)
      const proximo = restam > 0 ? outroModo(error, modo, pronto.turno) : null
      if (proximo !== null) return tentarUm(pronto, proximo, restam - 1)
      log.error({ err: error, contaId: pronto.turno.contaId }, 'a message could not be stored')
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
      if (limitadas.size === 0) log.warn({ err: error, mensagens: prontos.length }, 'a batch failed: trying one by one')
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

/**
 * Worth the same try again: an id that just came in under another address (next time it is seen as a repetition), a
 * deadlock, a serialization failure.
 */
const REPETIVEIS = new Set(['23505', '40P01', '40001'])

/** How to try a message again after this error, or null when trying again cannot help. */
function outroModo(error: unknown, modo: Modo, { tipo }: TurnoBot): Modo | null {
  if (error instanceof ContatoSumiu) return tipo === 'mensagem' ? modo : null
  if (error instanceof LimiteAtingido) return modo.contar ? null : { ...modo, contar: true }
  // The engine stumbled over this message: it is kept, and nobody waits behind it.
  if (error instanceof MotorFalhou) return { ...modo, mudo: true }
  return error instanceof Error && 'code' in error && REPETIVEIS.has(String(error.code)) ? modo : null
}
