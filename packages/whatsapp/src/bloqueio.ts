import { Recusada } from './anfitriao.ts'

/** What WhatsApp tells of a number that may not begin chats for a while; who wrote to it before can still be answered. */
export interface AvisoDeBloqueio {
  readonly isActive?: boolean
  readonly timeEnforcementEnds?: Date | undefined
}

export interface Bloqueio {
  readonly avisado: (aviso: AvisoDeBloqueio) => void
  /** The service refused a message to this address for that reason. */
  readonly recusou: (endereco: string) => void
  /**
   * Rejects with `Recusada` while the number is locked and this would begin a chat: each attempt makes the lock longer.
   * `conhecido` tells whether there is a chat already.
   */
  readonly conferir: (endereco: string, conhecido: () => Promise<boolean>) => Promise<void>
}

/** Without a time of its own, a lock is asked about again after this long. */
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
