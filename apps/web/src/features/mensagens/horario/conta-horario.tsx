import { defaultHorario } from '@balcao/contract/defaults'
import type { Horario } from '@balcao/contract/entities/config'
import { describeHorario } from '@balcao/engine/rules/horario'
import type { MenuDraft } from '#features/mensagens/menu/menu-draft.ts'
import type { MenuEditorState } from '#features/mensagens/use-menu-editor.ts'
import { HorarioCard } from './horario-card.tsx'

/** Replaces opening hours written in texts with `{horario}`, which stays correct after a change. */

const ANY_YEAR = 2026

function outdatedPhrases(stored: Horario, current: Horario): string[] {
  const right = describeHorario(current)
  return [describeHorario(defaultHorario(ANY_YEAR)), describeHorario(stored)].filter((sentence) => sentence !== right)
}

function replacePhrases(text: string, phrases: readonly string[]): string {
  return phrases.reduce((done, sentence) => {
    const at = done.toLowerCase().indexOf(sentence.toLowerCase())
    return at < 0 ? done : `${done.slice(0, at)}{horario}${done.slice(at + sentence.length)}`
  }, text)
}

/** Returns the same draft if nothing was replaced. */
function withHorarioPlaceholder(draft: MenuDraft, stored: Horario, current: Horario): MenuDraft {
  const phrases = outdatedPhrases(stored, current)
  const fresh = {
    ...draft,
    menuPrincipal: replacePhrases(draft.menuPrincipal, phrases),
    opcoes: draft.opcoes.map((opcao) => ({ ...opcao, resposta: replacePhrases(opcao.resposta, phrases) })),
    mensagens: {
      ...draft.mensagens,
      ...Object.fromEntries(
        Object.entries(draft.mensagens).map(([name, text]) => [name, replacePhrases(text, phrases)]),
      ),
    },
  }
  return JSON.stringify(fresh) === JSON.stringify(draft) ? draft : fresh
}

/** Shares draft, save and preview with the menu editor. */
export function ContaHorario({ editor, stored }: { editor: MenuEditorState; stored: Horario }) {
  const { draft, horario, editing, change, changeHorario } = editor
  const corrected = withHorarioPlaceholder(draft, stored, horario)
  return (
    <HorarioCard
      horario={horario}
      editing={editing}
      onChange={changeHorario}
      onReplaceTexts={
        corrected === draft ? undefined : () => change((current) => withHorarioPlaceholder(current, stored, horario))
      }
    />
  )
}
