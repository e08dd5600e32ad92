import { type Produto, produtoSchema } from '@balcao/contract/entities/produto'
import { apiRoutes } from '@balcao/contract/routes/all'
import { type Answer, type TestUser } from '#test/app.ts'
import { formFile } from '#test/builders.ts'

export const SAMPLE_PRODUTO = { nome: 'Caneca azul', descricao: 'Cerâmica, 300 ml', preco: 39.9 }

export function formWith(fields: Readonly<Record<string, string | Blob>>): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.set(name, value)
  return form
}

export function formWithPicture(bytes: Buffer, fields: Readonly<Record<string, string>> = {}): FormData {
  return formWith({ ...fields, imagem: formFile(bytes, 'foto.png') })
}

export function uploadPicture(dona: TestUser, bytes: Buffer): Promise<Answer> {
  return dona.request('POST', '/upload', formWith({ arquivo: formFile(bytes, 'foto.png') }))
}

export function produtoFrom({ status, body }: Answer): Produto {
  if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`)
  return produtoSchema.parse(body['produto'])
}

export async function createProduto(dona: Pick<TestUser, 'request'>, fields: object = {}): Promise<Produto> {
  return produtoFrom(await dona.request('POST', '/produtos', { ...SAMPLE_PRODUTO, ...fields }))
}

export async function listProdutos(dona: TestUser): Promise<Produto[]> {
  return apiRoutes.produtos.response.parse((await dona.request('GET', '/produtos')).body).produtos
}
