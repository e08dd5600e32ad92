import { AppError } from '#errors.ts'
import type { InboundMessage } from '@balcao/connector/port'
import type { PhoneOrder, Simulador, SimulatedPhones } from '#ports/simulador.ts'

export interface SimuladorPhoneOptions {
  /** Runs the order on the node with the session. */
  readonly phones: SimulatedPhones
  readonly receive: (contaId: string, channel: string, message: InboundMessage) => Promise<void>
}

/** The simulated customer phone of the chat page, on whichever node the session runs. */
export function createSimuladorPhone({ phones, receive }: SimuladorPhoneOptions): Simulador {
  const requireConnected = async (contaId: string, order: PhoneOrder): Promise<void> => {
    if (!(await phones(contaId, order))) throw new AppError('botDesconectado')
  }
  return {
    scan: async (contaId) => {
      if (!(await phones(contaId, { act: 'scan' }))) throw new AppError('semQrCode')
    },
    disconnect: (contaId) => requireConnected(contaId, { act: 'disconnect' }),
    failSends: (contaId, count) => requireConnected(contaId, { act: 'failSends', count }),
    type: (contaId, telefone) => requireConnected(contaId, { act: 'type', telefone }),
    receive: async (contaId, message) => {
      await requireConnected(contaId, { act: 'check' })
      await receive(contaId, 'simulador', message)
    },
  }
}
