import { expect, it } from 'vitest'
import { WHATSAPP_DIR, hasWhatsapp, loadWhatsapp, type WhatsappModule } from '#adapters/whatsapp/connector.ts'
import { testConnector } from '#test/connectors/conformance.ts'
import { createWhatsappNetwork } from './network.ts'

it('loads the package from its folder with the types the server expects', async () => {
  const typed: WhatsappModule = await import('@balcao/whatsapp/connector')
  expect(hasWhatsapp(WHATSAPP_DIR)).toBe(true)
  const { createWhatsapp } = await loadWhatsapp(WHATSAPP_DIR)
  expect(createWhatsapp.name).toBe(typed.createWhatsapp.name)
  await expect(loadWhatsapp('/nenhuma-pasta')).rejects.toThrow()
})

testConnector('whatsapp', createWhatsappNetwork)
