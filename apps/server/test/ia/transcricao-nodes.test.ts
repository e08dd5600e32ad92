import { mkdtemp, rm } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { waitUntil } from '#test/app.ts'
import { connectBot, formFile, givenConta, sendAsCustomer } from '#test/builders.ts'
import { ogg } from '#test/midias/sample-files.ts'
import { createFleet } from '#test/nodes/fleet.ts'
import { createFakeGemini, VALID_KEY } from './fake-gemini.ts'

const NOTES = 6

it('asks the provider once for each voice note on two nodes', async () => {
  const fake = await createFakeGemini()
  fake.answerAlways(() => ({ tipo: 'texto', texto: 'tem bolo?' }))
  const arquivosDir = await mkdtemp('/tmp/balcao-transcricao-')
  const fleet = await createFleet(0)
  const options = { geminiUrl: fake.url, sharedFiles: true, arquivosDir, timings: { pollMs: 20 } }
  const [{ app }] = [await fleet.start(options), await fleet.start(options)]
  const dona = await givenConta(app)
  await connectBot(dona, (config) => ({
    ...config,
    gemini: { apiKey: VALID_KEY },
    ia: { ...config.ia, apiKey: VALID_KEY, transcrever: true },
  }))
  for (let n = 0; n < NOTES; n += 1) {
    await sendAsCustomer(dona, `551196600020${n}`, { arquivo: formFile(ogg(), 'voz.ogg', 'audio/ogg') })
  }
  await app.idle()
  const states = () =>
    app.sql(`select extras #>> '{transcricao,estado}' as estado from mensagens where midia is not null`)
  await waitUntil(async () => (await states()).every(({ estado }) => estado === 'pronta'))
  expect(await states()).toHaveLength(NOTES)
  expect(fake.requests).toHaveLength(NOTES)
  await fleet.close()
  await fake.close()
  await rm(arquivosDir, { recursive: true, force: true })
})
