import * as z from 'zod/mini'
import { chaveDoEndereco } from './contatos.ts'
import { Lru } from './lru.ts'
import type { BotDeps } from './runtime-deps.ts'
import type { Sessions } from './sessions.ts'

const CANAL_DIGITANDO = 'digitando'
/** Phones show the indicator for some seconds, so a shorter interval shows nothing new. */
const INTERVALO_MS = 2_500
const LEMBRADOS = 10_000

const pedidoSchema = z.object({ contaId: z.string(), endereco: z.string() })
const conversaSchema = z.object({ id: z.string() })

export interface Digitando {
  readonly operador: (contaId: string, endereco: string) => void
  readonly cliente: (contaId: string, canonico: string) => void
}

export function createDigitando(deps: Pick<BotDeps, 'bus' | 'db' | 'realtime' | 'log'>, sessions: Sessions): Digitando {
  const { bus, db, realtime, log } = deps
  const ultimos = new Lru<number>(LEMBRADOS)

  const cedoDemais = (chave: string): boolean => {
    const agora = performance.now()
    if (agora - (ultimos.get(chave) ?? Number.NEGATIVE_INFINITY) < INTERVALO_MS) return true
    ultimos.set(chave, agora)
    return false
  }

  const mostrar = (contaId: string, endereco: string): boolean => {
    const sessao = sessions.get(contaId)
    if (sessao?.conectada() === true) sessao.digitando(endereco)
    return sessao !== undefined
  }

  bus.subscribe(CANAL_DIGITANDO, (dados) => {
    const { contaId, endereco } = pedidoSchema.parse(JSON.parse(dados))
    mostrar(contaId, endereco)
  })

  const contar = async (contaId: string, canonico: string): Promise<void> => {
    const [conversa] = await db.read(contaId, (tx) =>
      tx.rows(
        conversaSchema,
        `select v.id from enderecos e
         join contatos c on c.conta_id = e.conta_id and c.id = e.contato_id
         join conversas v on v.conta_id = c.conta_id and v.id = c.conversa_id
         where e.conta_id = $1 and e.endereco = $2 and v.status in ('aguardando', 'em_atendimento')`,
        [contaId, canonico],
      ),
    )
    if (conversa !== undefined)
      realtime.publish(contaId, 'clienteDigitando', { userId: contaId, conversaId: conversa.id })
  }

  return {
    operador: (contaId, endereco) => {
      if (cedoDemais(`>${chaveDoEndereco(contaId, endereco)}`)) return
      if (!mostrar(contaId, endereco)) bus.publish(CANAL_DIGITANDO, JSON.stringify({ contaId, endereco }))
    },
    cliente: (contaId, canonico) => {
      if (cedoDemais(`<${chaveDoEndereco(contaId, canonico)}`)) return
      contar(contaId, canonico).catch((error: unknown) =>
        log.warn({ err: error, contaId }, 'typing indicator not published'),
      )
    },
  }
}
