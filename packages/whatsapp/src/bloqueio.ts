import { Recusada } from './anfitriao.ts'

/** WhatsApp's notice that this number may not start chats for a while. Chats that customers started stay open. */
export interface AvisoDeBloqueio {
  readonly isActive?: boolean
  readonly timeEnforcementEnds?: Date | undefined
}

export interface Bloqueio {
  readonly avisado: (aviso: AvisoDeBloqueio) => void
  readonly recusou: (endereco: string) => void
  /**
   * Rejects with `Recusada` if the number is locked and this message would start a chat, because each attempt
   * extends the lock. `conhecido` returns whether a chat exists.
   */
  readonly conferir: (endereco: string, conhecido: () => Promise<boolean>) => Promise<void>
}

/** Duration of a lock whose notice has no end. */
const SEM_PRAZO_MS = 60_000

const dizer = new Intl.DateTimeFormat('pt-BR', {
  ...{ dateStyle: 'short', timeStyle: 'short' },
  timeZone: 'America/Sao_Paulo',
})

export function createBloqueio(agora: () => number = Date.now): Bloqueio {
  const recusados = new Set<string>()
  let ate = 0
  let dito: Date | undefined
  return {
    avisado: ({ isActive, timeEnforcementEnds }) => {
      dito = timeEnforcementEnds
      ate = isActive === true ? (timeEnforcementEnds?.getTime() ?? agora() + SEM_PRAZO_MS) : 0
      if (ate <= agora()) recusados.clear()
    },
    recusou: (endereco) => void recusados.add(endereco),
    conferir: async (endereco, conhecido) => {
      if (ate <= agora()) return
      if (!recusados.has(endereco) && (await conhecido())) return
      const quando = dito === undefined ? 'por enquanto' : `até ${dizer.format(dito)} (horário de Brasília)`
      throw new Recusada(`o WhatsApp não deixa este número começar conversas ${quando}`)
    },
  }
}
