import type { Horario } from '@balcao/contract/entities/config'
import type { Editor } from '#features/mensagens/use-editor.ts'
import { HorarioDeAtendimento } from './horario-de-atendimento.tsx'
import { comHorarioNosTextos } from './horario-nos-textos.ts'

/** Shares draft, save and preview with the menu editor. */
export function HorarioDaConta({ editor, guardado }: { editor: Editor; guardado: Horario }) {
  const { rascunho, horario, editando, mudar, mudarHorario } = editor
  const corrigido = comHorarioNosTextos(rascunho, guardado, horario)
  return (
    <HorarioDeAtendimento
      horario={horario}
      editando={editando}
      onMudar={mudarHorario}
      onTrocarTextos={
        corrigido === rascunho ? undefined : () => mudar((atual) => comHorarioNosTextos(atual, guardado, horario))
      }
    />
  )
}
