import { measureAtendimento } from './atendimento.ts'
import { measureIa } from './ia.ts'
import { measureMessages } from './messages.ts'
import { measurePages } from './pages.ts'
import { publish, publishPart, type Section } from './report.ts'
import { measureStart } from './start.ts'
import { measureWhatsapp } from './whatsapp.ts'

const PARTES: Readonly<Record<string, () => Promise<Section[]>>> = {
  mensagens: measureMessages,
  atendimento: measureAtendimento,
  ia: measureIa,
  inicio: async () => [await measureStart()],
  paginas: measurePages,
  whatsapp: measureWhatsapp,
}

const pedidas = process.argv.slice(2).filter((nome) => Object.hasOwn(PARTES, nome))
const escolhidas = pedidas.length === 0 ? Object.keys(PARTES) : pedidas

const secoes: Section[] = []
for (const nome of escolhidas) {
  process.stderr.write(`bench · ${nome}\n`)
  secoes.push(...((await PARTES[nome]?.()) ?? []))
}
const sozinha = pedidas.length === 1 && pedidas[0] === 'whatsapp'
if (sozinha) await publishPart(secoes, 'npm run bench:whatsapp')
else
  await publish(secoes, `npm run bench${pedidas.length === 0 ? '' : ` -- ${pedidas.join(' ')}`}`, pedidas.length === 0)
process.exit(0)
