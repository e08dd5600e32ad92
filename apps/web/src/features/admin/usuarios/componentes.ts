import { NOME_DO_COMPONENTE } from '@balcao/contract/administration'
import { COMPONENTES, type Componente } from '@balcao/contract/constants'

export const PANEL_COMPONENTES: readonly { readonly id: Componente; readonly rotulo: string }[] = COMPONENTES.map(
  (id) => ({ id, rotulo: NOME_DO_COMPONENTE[id] }),
)
