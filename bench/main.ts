import { ensureBuilt } from '../scripts/build.mjs'
import { measureAssistente } from './assistente.ts'
import { measureAtendimento } from './atendimento.ts'
import { measureDistribution } from './atendimento/distribution.ts'
import { measureLargeConta } from './atendimento/large.ts'
import { measureBackups } from './backups.ts'
import { measureDefesa } from './defesa.ts'
import { measureIa } from './ia.ts'
import { measureLines } from './lines.ts'
import { measureMemory } from './memory.ts'
import { measureMessages } from './messages.ts'
import { traceBatch } from './messages/trace.ts'
import { measureNodes } from './nodes.ts'
import { measureCustomers } from './nodes/customers.ts'
import { measureIdleFleet } from './nodes/idle.ts'
import { measurePages } from './pages.ts'
import { measurePedidos } from './pedidos.ts'
import { publish, type Section } from './report.ts'
import { measureSizes } from './sizes.ts'
import { measureStart } from './start.ts'
import { measureEachKind, measureTurns } from './turns.ts'

const PARTS: Readonly<Record<string, () => Promise<Section[]>>> = {
  mensagens: measureMessages,
  turnos: measureTurns,
  atendimento: measureAtendimento,
  distribuicao: measureDistribution,
  ia: measureIa,
  assistente: measureAssistente,
  linhas: measureLines,
  memoria: measureMemory,
  inicio: async () => [await measureStart()],
  paginas: measurePages,
  pedidos: measurePedidos,
  defesa: measureDefesa,
  nos: measureNodes,
  copias: measureBackups,
  tamanho: measureSizes,
  whatsapp: async () => (await import('./whatsapp.ts')).measureWhatsapp(),
}

/** Pieces of `nos` and `atendimento` that can be measured alone. */
const PIECES: typeof PARTS = {
  frota: measureIdleFleet,
  clientes: measureCustomers,
  acervo: measureLargeConta,
  tipos: measureEachKind,
}

const [first, ...rest] = process.argv.slice(2)

if (first === 'whatsapp') {
  const { measureWhatsapp } = await import('./whatsapp.ts')
  await measureWhatsapp(rest, (section) => publish([section], 'npm run bench:whatsapp'))
  process.exit(0)
}

if (first === 'mensagens' && rest.includes('--traco')) {
  await traceBatch()
  process.exit(0)
}

// A server without a built panel answers its pages with 503.
await ensureBuilt()

if (first === 'defesa') {
  const measured = await measureDefesa()
  await publish(measured, 'npm run bench -- defesa')
  process.exit(measured.some(({ lines }) => lines.some(({ ok }) => !ok)) ? 1 : 0)
}

const requested = process.argv.slice(2).filter((name) => Object.hasOwn({ ...PARTS, ...PIECES }, name))
const chosen = requested.length === 0 ? Object.keys(PARTS) : requested

const sections: Section[] = []
for (const name of chosen) {
  process.stderr.write(`bench · ${name}\n`)
  sections.push(...((await (PARTS[name] ?? PIECES[name])?.()) ?? []))
}
if (requested.length === 0) await publish(sections, 'npm run bench', true)
else await publish(sections, `npm run bench -- ${requested.join(' ')}`)
process.exit(0)
