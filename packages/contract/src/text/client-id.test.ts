import { describe, expect, it } from 'vitest'
import { configInputSchema } from '#entities/config-input.ts'
import { defaultConfig } from '#defaults.ts'
import { clientIdOf } from './client-id.ts'

describe('clientIdOf', () => {
  it.each([
    ['Padaria São João', 'padaria-sao-joao'],
    ['  Açaí & Cia. (2ª loja)  ', 'acai-cia-2-loja'],
    ['店', 'loja'],
    ['', 'loja'],
  ])('folds %j into %j', (empresa, clientId) => expect(clientIdOf(empresa)).toBe(clientId))

  it('makes an id that the configuration accepts from a name of any length', () => {
    const padrao = defaultConfig()
    const clientId = clientIdOf('Mercado '.repeat(20))
    expect(clientId.length).toBeLessThanOrEqual(60)
    const input = { ...padrao, whatsapp: { ...padrao.whatsapp, clientId } }
    expect(configInputSchema.safeParse(input).success).toBe(true)
  })
})
