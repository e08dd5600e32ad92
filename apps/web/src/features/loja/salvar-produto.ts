import type { Produto } from '@balcao/contract/entities/produto'
import { atualizarProdutoRoute, criarProdutoRoute } from '@balcao/contract/routes/produtos'
import { upload } from '#shared/upload.ts'
import { type Campos, completarLink } from './conferir.ts'
import type { Imagem } from './imagem.ts'
import { lerPreco } from './preco.ts'

export interface ProdutoEscrito {
  readonly campos: Campos
  readonly inicial: Campos
  readonly imagem: Imagem
}

/** Sends only the changed fields of an existing product, so that changes by others are kept. */
function formDe({ campos, inicial, imagem }: ProdutoEscrito, novo: boolean): FormData {
  const form = new FormData()
  const por = (campo: keyof Campos, valor: string): void => {
    if (novo || campos[campo] !== inicial[campo]) form.set(campo, valor)
  }
  por('nome', campos.nome.trim())
  por('descricao', campos.descricao.trim())
  por('preco', String(lerPreco(campos.preco)))
  por('linkCheckout', completarLink(campos.linkCheckout))
  por('ativo', String(campos.ativo))
  // The file comes last, so that the server has all fields before it.
  if (imagem.arquivo !== null) form.set('imagem', imagem.arquivo)
  else if (imagem.tirar) form.set('imagemUrl', '')
  return form
}

/** Creates (`id` null) or updates a product. `onProgresso` reports 0 to 1. Rejects with `ApiError`. */
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
