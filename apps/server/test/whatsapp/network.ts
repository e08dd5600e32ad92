import { createFakePhone, createFakeCustomer, createFakeServer } from '@balcao/whatsapp/rede-falsa'
import { PHONE_PAIRED, type TestNetwork } from '#test/connectors/networks.ts'

export async function createWhatsappNetwork(): Promise<TestNetwork> {
  const server = await createFakeServer()
  const celular = createFakePhone(server, { numero: '5511990000001', lid: '100000000000001', nome: 'Loja' })
  let clientes = 0
  return {
    conector: 'whatsapp',
    options: { whatsappUrl: server.url },
    ...PHONE_PAIRED,
    scan: async (app) => {
      const { qrCode } = (await app.request('GET', '/bot/status')).body
      await celular.scan(String(qrCode))
    },
    customer: (nome) => {
      clientes += 1
      const numero = `551191000${String(clientes).padStart(4, '0')}`
      const cliente = createFakeCustomer(server, { numero, lid: `20000000${clientes}`, nome })
      return {
        says: async (_casa, texto, id) => void (await cliente.say(celular, texto, id === undefined ? {} : { id })),
        received: async () => cliente.received.map(({ text: texto }) => texto),
        shown: async () => {
          const shown = new Map<string, string>()
          for (const { id, text = '', message } of cliente.received) {
            const { key, editedMessage } = message.protocolMessage ?? {}
            const changed = key?.id ?? id
            const next = key === undefined || key === null ? text : editedMessage?.extendedTextMessage?.text
            if (next === undefined || next === null) shown.delete(changed)
            else shown.set(changed, next)
          }
          return [...shown.values()]
        },
        // The fake network reports the other states automatically.
        reportDelivery: async (_casa, texto, step) => {
          const dela = cliente.received.find((recebida) => recebida.text === texto)
          if (step === 'lida') cliente.markRead(celular, dela?.id ?? '')
        },
      }
    },
    unlink: async () => {
      for (const device of celular.devices.values()) if (!device.revoked) server.removeDevice(device)
    },
    refuseSends: async (_casa, envios) => {
      let faltam = envios
      server.faults.refuse = () => (faltam-- > 0 ? '500' : undefined)
    },
    cut: () => {
      for (const { connection } of celular.devices.values()) connection?.cut()
    },
    close: server.close,
  }
}
