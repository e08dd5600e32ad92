import type { Horario } from '@balcao/contract/entities/config'
import type { MenuEditorState } from '#features/mensagens/use-menu-editor.ts'
import { HorarioCard } from './horario-card.tsx'
import { withHorarioPlaceholder } from './horario-in-texts.ts'

/** Shares draft, save and preview with the menu editor. */
export function ContaHorario({ editor, guardado }: { editor: MenuEditorState; guardado: Horario }) {
  const { rascunho, horario, editando, mudar, mudarHorario } = editor
  const corrigido = withHorarioPlaceholder(rascunho, guardado, horario)
  return (
    <HorarioCard
      horario={horario}
      editing={editando}
      onChange={mudarHorario}
      onReplaceTexts={
        corrigido === rascunho
          ? undefined
          : () => mudar((current) => withHorarioPlaceholder(current, guardado, horario))
      }
    />
  )
}
