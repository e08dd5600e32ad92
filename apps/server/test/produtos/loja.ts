import { type Produto, produtoSchema } from '@balcao/contract/entities/produto'
import { rotas } from '@balcao/contract/routes/all'
import { arquivo, type Pessoa, type Resposta } from '#test/midias/casa.ts'

export const CANECA = { nome: 'Caneca azul', descricao: 'Cerâmica, 300 ml', preco: 39.9 }

export function formulario(campos: Readonly<Record<string, string | Blob>>): FormData {
  const form = new FormData()
  for (const [nome, valor] of Object.entries(campos)) form.set(nome, valor)
  return form
}

export function comImagem(bytes: Buffer, campos: Readonly<Record<string, string>> = {}): FormData {
  return formulario({ ...campos, imagem: arquivo(bytes, 'foto.png') })
}

export function enviarUpload(dona: Pessoa, bytes: Buffer): Promise<Resposta> {
  return dona.pedir('POST', '/upload', formulario({ arquivo: arquivo(bytes, 'foto.png') }))
}

export function produtoDe({ status, body }: Resposta): Produto {
  if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`)
  return produtoSchema.parse(body['produto'])
}

export async function criar(dona: Pessoa, campos: object = {}): Promise<Produto> {
  return produtoDe(await dona.pedir('POST', '/produtos', { ...CANECA, ...campos }))
}

export async function catalogo(dona: Pessoa): Promise<Produto[]> {
  return rotas.produtos.response.parse((await dona.pedir('GET', '/produtos')).body).produtos
}
