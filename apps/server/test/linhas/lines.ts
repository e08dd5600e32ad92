import type { Conversa } from '@balcao/contract/entities/conversa'
import type { Linha } from '@balcao/contract/entities/linha'
import { mensagensSimuladasRoute } from '@balcao/contract/routes/simulador'
import { linhaRoute, linhasRoute } from '@balcao/contract/routes/linhas'
import { type TestUser, waitUntil } from '#test/app.ts'
import { openConversas } from '#test/builders.ts'

type Person = Pick<TestUser, 'request'>

export async function listLines({ request }: Person): Promise<Linha[]> {
  return linhasRoute.response.parse((await request('GET', '/linhas')).body).linhas
}

export async function lineWith(person: Person, id: string): Promise<Linha> {
  const line = (await listLines(person)).find((one) => one.id === id)
  if (line === undefined) throw new Error(`no line ${id}`)
  return line
}

export async function addLine({ request }: Person, nome: string, more: object = {}): Promise<Linha> {
  const { status, body } = await request('POST', '/linhas', { nome, conector: 'simulador', ...more })
  if (status !== 201) throw new Error(`line not added: ${JSON.stringify(body)}`)
  return linhaRoute.response.parse(body).linha
}

/** Changes a line at its current version. */
export async function changeLine(person: Person, id: string, fields: object) {
  const { versao } = await lineWith(person, id)
  return person.request('PUT', `/linhas/${id}`, { versao, ...fields })
}

/** Starts a line of the simulador and scans when it asks for it. */
export async function connectLine(person: Person, id: string): Promise<void> {
  const started = await person.request('POST', `/linhas/${id}/iniciar`)
  if (started.status !== 200) throw new Error(`line not started: ${JSON.stringify(started.body)}`)
  const status = async () => (await lineWith(person, id)).status
  await waitUntil(async () => ['AGUARDANDO_QR', 'CONECTADO'].includes(await status()))
  if ((await status()) === 'AGUARDANDO_QR') await person.request('POST', '/simulador/escanear', { linhaId: id })
  await waitUntil(async () => (await status()) === 'CONECTADO')
}

/** A customer writes on a line of the simulador. */
export async function writesOn({ request }: Person, linhaId: string, telefone: string, ...texts: string[]) {
  for (const texto of texts) {
    const { status } = await request('POST', '/simulador/mensagens', { telefone, nome: 'Bia', texto, linhaId })
    if (status !== 202) throw new Error(`simulador answered ${status}`)
  }
}

/** The texts of the shop on the customer's phone of a line. */
export async function shopTexts({ request }: Person, linhaId: string, telefone: string): Promise<string[]> {
  const { body } = await request('GET', `/simulador/mensagens?telefone=${telefone}&linhaId=${linhaId}`)
  const { mensagens } = mensagensSimuladasRoute.response.parse(body)
  return mensagens.flatMap(({ de, texto }) => (de === 'bot' ? [texto] : []))
}

export async function conversaOn(person: Person, linhaId: string, telefone: string): Promise<Conversa> {
  const open = await openConversas(person, '?limite=200')
  const found = open.find(({ cliente, linha }) => cliente.telefone === telefone && linha?.id === linhaId)
  if (found === undefined) throw new Error(`no conversa of ${telefone} on ${linhaId}`)
  return found
}

/** A customer of a line who waits for a person. Returns the id of the conversa. */
export async function waitingOn(person: Person, linhaId: string, telefone: string, option = 'atendente') {
  await writesOn(person, linhaId, telefone, 'oi', option)
  return (await conversaOn(person, linhaId, telefone)).id
}

let phones = 0
/** No other test of the run uses it. */
export const newPhone = (): string => `5511944${String((phones += 1)).padStart(6, '0')}`
