import { afterAll, beforeAll, beforeEach } from 'vitest'
import * as z from 'zod/mini'
import { ensaioSchema, type Prova, provaSchema } from '@balcao/contract/entities/prova'
import { executarProvasRoute } from '@balcao/contract/routes/ia-provas'
import type { ResponseOf } from '@balcao/contract/define-route'
import type { Answer, SendRequest } from '#test/app.ts'
import { createIaApp, type IaApp } from '#test/ia/ia-app.ts'

/** Requests of the exam and the replay, with their answers parsed. */

/** The tests of a file share a shop. Each test begins without questions. */
export function openExamShop(prepare: (shop: IaApp) => Promise<void> = () => Promise.resolve()): () => IaApp {
  let shop: IaApp | undefined
  const opened = (): IaApp => {
    if (shop === undefined) throw new Error('the shop opens before the first test')
    return shop
  }
  beforeAll(async () => {
    shop = await createIaApp()
  })
  afterAll(() => shop?.close())
  beforeEach(async () => {
    opened().fake.reset()
    await clearProvas(opened().request)
    await prepare(opened())
  })
  return opened
}

const provasSchema = z.object({ provas: z.array(provaSchema) })

function parsed<T>(schema: z.ZodMiniType<T>, { status, body }: Answer, expected = 200): T {
  if (status !== expected) throw new Error(`${status} ${JSON.stringify(body)}`)
  return schema.parse(body)
}

export async function listProvas(request: SendRequest): Promise<readonly Prova[]> {
  return parsed(provasSchema, await request('GET', '/ia/provas')).provas
}

export async function addProva(request: SendRequest, fields: object): Promise<Prova> {
  const answer = await request('POST', '/ia/provas', fields)
  return parsed(z.object({ prova: provaSchema }), answer, 201).prova
}

async function clearProvas(request: SendRequest): Promise<void> {
  for (const { id } of await listProvas(request)) await request('DELETE', `/ia/provas/${id}`)
}

type ExamAnswers = ResponseOf<typeof executarProvasRoute>

export async function takeExam(request: SendRequest, ia?: object): Promise<ExamAnswers> {
  return parsed(
    executarProvasRoute.response,
    await request('POST', '/ia/provas/executar', ia === undefined ? {} : { ia }),
  )
}

export async function rehearseConfig(request: SendRequest, config: object, dias = 7) {
  return parsed(ensaioSchema, await request('POST', '/config/ensaio', { config, dias }))
}
