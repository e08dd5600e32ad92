import { measureAtendimento } from './atendimento.ts'
import { measureIa } from './ia.ts'
import { measureMessages } from './messages.ts'
import { measurePages } from './pages.ts'
import { publish, publishPart, type Section } from './report.ts'
import { measureStart } from './start.ts'
import { measureWhatsapp } from './whatsapp.ts'

const PARTS: Readonly<Record<string, () => Promise<Section[]>>> = {
  mensagens: measureMessages,
  atendimento: measureAtendimento,
  ia: measureIa,
  inicio: async () => [await measureStart()],
  paginas: measurePages,
  whatsapp: () => measureWhatsapp(),
}

const [first, ...rest] = process.argv.slice(2)

if (first === 'whatsapp') {
  await measureWhatsapp(rest, (secao) => publishPart([secao], 'npm run bench:whatsapp'))
  process.exit(0)
}

const requested = process.argv.slice(2).filter((nome) => Object.hasOwn(PARTS, nome))
const chosen = requested.length === 0 ? Object.keys(PARTS) : requested

const sections: Section[] = []
for (const nome of chosen) {
  process.stderr.write(`bench · ${nome}\n`)
  sections.push(...((await PARTS[nome]?.()) ?? []))
}
await publish(sections, `npm run bench${requested.length === 0 ? '' : ` -- ${requested.join(' ')}`}`, requested.length === 0)
process.exit(0)
