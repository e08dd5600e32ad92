import type { Produto } from '@balcao/contract/entities/produto'
import { atualizarProdutoRoute, criarProdutoRoute } from '@balcao/contract/routes/produtos'
import { upload } from '#shared/upload.ts'
import { type Campos, completarLink } from './conferir.ts'
import type { Imagem } from './imagem.ts'
import { lerPreco } from './preco.ts'

export interface ProdutoEscrito {
  readonly campos: Campos
  readonly imagem: Imagem
  /** For a new one: after the last (spec §3). */
  readonly ordem: number
}

function formDe({ campos, imagem, ordem }: ProdutoEscrito, novo: boolean): FormData {
  const form = new FormData()
  form.set('nome', campos.nome.trim())
  form.set('descricao', campos.descricao.trim())
  form.set('preco', String(lerPreco(campos.preco)))
  form.set('linkCheckout', completarLink(campos.linkCheckout))
  form.set('ativo', String(campos.ativo))
  if (novo) form.set('ordem', String(ordem))
  // Last: the server knows everything else when the file arrives.
  if (imagem.arquivo !== null) form.set('imagem', imagem.arquivo)
  else if (imagem.tirar) form.set('imagemUrl', '')
  return form
}

/** Creates a product (`id` null) or changes one, telling how much of its picture left. Rejects with `ApiError`. */
export async function salvarProduto(
  id: string | null,
  escrito: ProdutoEscrito,
  onProgresso: (parte: number) => void,
): Promise<Produto> {
  const form = formDe(escrito, id === null)
  const { produto } =
    id === null
      ? await upload(criarProdutoRoute, { params: undefined, form, onProgresso })
      : await upload(atualizarProdutoRoute, { params: { id }, form, onProgresso })
  return produto
}
