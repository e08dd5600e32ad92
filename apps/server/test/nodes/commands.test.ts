import { afterEach, describe, expect, it } from 'vitest'
import { waitUntil } from '#test/app.ts'
import { saveConfig } from '#test/builders.ts'
import { createFleet, type FleetNode, type TestFleet } from './fleet.ts'
import { createLossyLine } from './lossy-line.ts'

let fleet: TestFleet | undefined
afterEach(() => fleet?.close())

const botStatus = async ({ app }: FleetNode): Promise<unknown> =>
  (await app.request('GET', '/bot/status')).body['status']

describe('a command for the node with the session', () => {
  it('runs once although its packet and the reply are lost', async () => {
    fleet = await createFleet(0)
    const lines = { a: createLossyLine(fleet.database), b: createLossyLine(fleet.database) }
    const a = await fleet.start({ connectDirect: lines.a.connect })
    const b = await fleet.start({ connectDirect: lines.b.connect, timings: { resendMs: 100 } })
    await saveConfig(a.app)
    await a.app.request('POST', '/bot/iniciar')
    await waitUntil(async () => (await botStatus(a)) === 'AGUARDANDO_QR')
    expect(await a.app.sql('select no from bots')).toEqual([{ no: a.id }])
    lines.b.lose(true)
    lines.a.lose(true)
    // A second scan has no QR code and would be refused.
    const scanned = b.app.request('POST', '/simulador/escanear')
    await waitUntil(() => lines.b.lost() > 0)
    expect(await botStatus(a)).toBe('AGUARDANDO_QR')
    lines.b.lose(false)
    await waitUntil(async () => (await botStatus(a)) === 'CONECTADO' && lines.a.lost() > 0)
    lines.a.lose(false)
    expect((await scanned).status).toBe(200)
  })
})
