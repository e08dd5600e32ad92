import { createBatcher, type Batcher } from '#bot/batcher.ts'
import { AppError } from '#errors.ts'
import { type EnviarDeps, type EnvioDeOperador, enviarJuntas, type MensagemEnviada } from './enviar-como-operador.ts'

const LOTE_MAXIMO = 50

interface Turno {
  /** The conversa: mensagens of one conversa keep their order. */
  readonly chave: string
  readonly envio: EnvioDeOperador
  readonly resolve: (enviada: MensagemEnviada) => void
  readonly reject: (motivo: unknown) => void
}

/**
 * Batches the sends of a conta. Each send updates one counter row per day, and its lock is held until the commit is
 * durable, so single sends would run one commit after another. Sends that arrive during a commit share the next
 * one. A single send starts immediately.
 */
export function createEnvios(deps: EnviarDeps): (envio: EnvioDeOperador) => Promise<MensagemEnviada> {
  const porConta = new Map<string, Batcher<Turno>>()

  const abrir = (contaId: string): Batcher<Turno> => {
    const processar = async (lote: readonly Turno[]): Promise<readonly Turno[]> => {
      await gravar(deps, contaId, lote)
      return []
    }
    const fila = createBatcher<Turno>({ maximo: LOTE_MAXIMO, vagas: 1, processar })
    porConta.set(contaId, fila)
    return fila
  }

  const fechar = async (contaId: string, fila: Batcher<Turno>): Promise<void> => {
    do await fila.ocioso()
    while (fila.pendentes() > 0)
    porConta.delete(contaId)
  }

  return (envio) => {
    const { promise, resolve, reject } = Promise.withResolvers<MensagemEnviada>()
    const aberta = porConta.get(envio.contaId)
    const fila = aberta ?? abrir(envio.contaId)
    fila.enfileirar({ chave: envio.conversaId, envio, resolve, reject })
    if (aberta === undefined) void fechar(envio.contaId, fila)
    return promise
  }
}

/** Settles every item of the batch. Never rejects. */
async function gravar(deps: EnviarDeps, contaId: string, lote: readonly Turno[]): Promise<void> {
  try {
    const envios = lote.map(({ envio }) => envio)
    const resultados = await deps.db.transaction(contaId, (tx) => enviarJuntas(tx, deps, contaId, envios), 'indices')
    for (const [indice, resultado] of resultados.entries()) {
      if (resultado.tipo === 'enviada') lote[indice]?.resolve(resultado.enviada)
      else lote[indice]?.reject(resultado.motivo)
    }
  } catch (error) {
    if (error instanceof AppError && lote.length > 1) {
      // One item rolled the whole transaction back, so each item is retried alone.
      for (const turno of lote) await gravar(deps, contaId, [turno])
    } else {
      for (const { reject } of lote) reject(error)
    }
  }
}
