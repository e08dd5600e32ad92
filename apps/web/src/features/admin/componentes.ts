import { COMPONENTES, type Componente, NOME_DO_COMPONENTE } from '@balcao/contract/constants'

/** The six components of the panel, in the order of its tabs. */
export const COMPONENTES_DO_PAINEL: readonly { readonly id: Componente; readonly rotulo: string }[] = COMPONENTES.map(
  (id) => ({ id, rotulo: NOME_DO_COMPONENTE[id] }),
)
