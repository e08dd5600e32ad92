import type { useUnsavedGuard } from '#shared/hooks/use-unsaved-guard.ts'
import { ConfigMudou } from '#shared/ui/config-mudou.tsx'
import { SairSemSalvar } from '#shared/ui/sair-sem-salvar.tsx'
import type { Editor } from './use-editor.ts'

export function Perguntas({ editor, guarda }: { editor: Editor; guarda: ReturnType<typeof useUnsavedGuard> }) {
  return (
    <>
      <SairSemSalvar guarda={guarda}>As alterações do menu ainda não foram salvas e serão perdidas.</SairSemSalvar>
      <ConfigMudou aberto={editor.conflito} onRecarregar={editor.aceitarServidor} onFechar={editor.fecharConflito} />
    </>
  )
}
