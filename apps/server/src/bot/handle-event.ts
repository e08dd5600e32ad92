import type { Tx } from '#db/transaction.ts'
import type { Contexto, Contextos } from './contextos.ts'
import type { Decisao } from './decisao.ts'
import { createEsgotadas } from './esgotadas.ts'
import { createGravarLote } from './gravar-lote.ts'
import { createLocalizador, type Pronto } from './localizar-contatos.ts'
import type { BotDeps } from './runtime-deps.ts'
import { createTentativas } from './tentar-lote.ts'
import type { TurnoBot, TurnoEvento } from './turno.ts'

export interface HandlerOptions {
  readonly contextos: Contextos
  readonly aposCommit: (decisoes: readonly Decisao[]) => void
}

export interface Handler {
  /** Runs one batch and settles every turn. Returns the turns whose contato was already in the batch. */
  readonly processar: (lote: readonly TurnoBot[]) => Promise<readonly TurnoBot[]>
  /** Applies one event inside the caller's transaction. Its messages are sent after that commit. */
  readonly acontecerEm: (tx: Tx, contaId: string, contatoId: string, evento: TurnoEvento['evento']) => Promise<void>
  readonly contextoMudou: (contaId: string) => void
  readonly esquecerEndereco: (chave: string) => void
}

export function createHandler(deps: BotDeps, { contextos, aposCommit }: HandlerOptions): Handler {
  const { localizar, esquecer } = createLocalizador(deps.ids)
  const esgotadas = createEsgotadas()
  const gravarLote = createGravarLote(deps, esgotadas)
  const tentarLote = createTentativas(deps, { localizar, esquecer, gravarLote, aposCommit })

  const contextoDe = async (turno: TurnoBot): Promise<Contexto | null> => {
    try {
      return await contextos.get(turno.contaId)
    } catch (error) {
      turno.rejeitar(error)
      return null
    }
  }

  return {
    processar: async (lote) => {
      const prontos: Pronto[] = []
      for (const turno of lote) {
        const contexto = contextos.peek(turno.contaId) ?? (await contextoDe(turno))
        if (contexto !== null) prontos.push({ turno, contexto })
      }
      return tentarLote(prontos)
    },
    acontecerEm: async (tx, contaId, contatoId, evento) => {
      const contexto = await contextos.getEm(tx, contaId)
      const nada = (): void => {}
      const turno = { tipo: 'evento', chave: '', contaId, contatoId, evento, resolver: nada, rejeitar: nada } as const
      const { decisoes } = await gravarLote(tx, [{ turno, contexto, contatoId }], { contar: true, mudo: false })
      tx.afterCommit(() => aposCommit(decisoes))
    },
    contextoMudou: esgotadas.esquecer,
    esquecerEndereco: esquecer,
  }
}
