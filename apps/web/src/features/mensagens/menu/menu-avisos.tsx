import type { Setor, VersionedConfig } from '@balcao/contract/entities/config'
import { configRoute } from '@balcao/contract/routes/config'
import {
  findMenuAvisos,
  type MenuAviso,
  removeMenuLine,
  removeTypedOpcoes,
  retitleMenuLine,
} from '@balcao/engine/menu/menu-avisos'
import { useQuery } from '@tanstack/react-query'
import { call } from '#shared/api-client.ts'
import { QUERY_KEYS } from '#shared/data/query-keys.ts'
import { Button } from '#shared/ui/button.tsx'
import type { MenuEditorState } from '#features/mensagens/use-menu-editor.ts'
import { type MenuDraft, updateOpcao, updateOpcaoTipo } from './menu-draft.ts'

export interface MenuAvisosProps {
  readonly editor: MenuEditorState
  readonly config: VersionedConfig
  readonly place: 'texto' | 'opcoes'
}

/** Contradictions of the draft. A separate chunk, because it includes rules of the engine. */
export function MenuAvisos({ editor, config, place }: MenuAvisosProps) {
  const { draft, mend } = editor
  const semPessoas = useSetoresWithoutPeople(config, !editor.ofLine)
  const avisos = findMenuAvisos(draft, semPessoas).filter(({ linha }) => (linha !== undefined) === (place === 'texto'))
  return (
    <div role="status">
      {avisos.length > 0 && (
        <ul className="mt-3 grid gap-2">
          {avisos.map((aviso) => (
            <AvisoRow key={`${aviso.mensagem} ${aviso.linha}`} aviso={aviso} onMend={() => mend(mendOf(aviso))} />
          ))}
        </ul>
      )}
      {place === 'texto' && avisos.length > 0 && (
        <p className="mt-2 text-sm text-muted">
          A lista de opções entra sozinha no fim do texto.
          <Button
            size="sm"
            className="ml-2"
            onClick={() => mend((now) => ({ ...now, menuPrincipal: removeTypedOpcoes(now) }))}
          >
            Usar a lista
          </Button>
        </p>
      )}
    </div>
  )
}

const MEND_LABELS: Readonly<Record<MenuAviso['codigo'], string>> = {
  opcaoNoTextoNaoExiste: 'Tirar a linha',
  opcaoRenomeada: 'Usar o título',
  opcaoSemSaida: 'Trocar para o tipo Menu',
  setorSemPessoas: 'Mandar para o Geral',
}

function AvisoRow({ aviso, onMend }: { aviso: MenuAviso; onMend: () => void }) {
  return (
    <li className="flex flex-wrap items-center gap-2 rounded-xl bg-warn-soft px-3 py-2 text-sm text-warn-ink">
      <span className="min-w-0 flex-1 basis-52 [overflow-wrap:anywhere]">{aviso.mensagem}</span>
      <Button size="sm" onClick={onMend}>
        {MEND_LABELS[aviso.codigo]}
      </Button>
    </li>
  )
}

function mendOf({ codigo, linha = 0, opcao = 0 }: MenuAviso): (draft: MenuDraft) => MenuDraft {
  return (draft) => {
    const { key = '', titulo = '' } = draft.opcoes[opcao] ?? {}
    switch (codigo) {
      case 'opcaoNoTextoNaoExiste':
        return { ...draft, menuPrincipal: removeMenuLine(draft.menuPrincipal, linha) }
      case 'opcaoRenomeada':
        return { ...draft, menuPrincipal: retitleMenuLine(draft.menuPrincipal, linha, titulo) }
      case 'opcaoSemSaida':
        return updateOpcaoTipo(draft, key, 'menu')
      case 'setorSemPessoas':
        return updateOpcao(draft, key, { setor: 'geral' })
    }
  }
}

/** Those of saved options. The server counts the people, for the menu of the account. */
function useSetoresWithoutPeople({ menu, atendimento, versao }: VersionedConfig, enabled: boolean): readonly Setor[] {
  const { data = [] } = useQuery({
    queryKey: [...QUERY_KEYS.config, 'avisos', versao],
    queryFn: async ({ signal }) => (await call(configRoute, { signal })).avisos ?? [],
    enabled,
  })
  if (!enabled) return []
  const paths = new Set(data.filter(({ codigo }) => codigo === 'setorSemPessoas').map(({ caminho }) => caminho))
  const ids = new Set(
    menu.opcoes.flatMap(({ setor }, index) => (paths.has(`menu.opcoes.${index}.setor`) ? [setor] : [])),
  )
  return atendimento.setores.filter(({ id }) => ids.has(id))
}
