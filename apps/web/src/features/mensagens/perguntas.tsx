import type { useUnsavedGuard } from '#shared/hooks/use-unsaved-guard.ts'
import { Confirmar } from '#shared/ui/confirmar.tsx'
import type { Editor } from './use-editor.ts'

/** The two questions of the editor: leaving without saving, and a configuration that changed meanwhile. */
export function Perguntas({ editor, guarda }: { editor: Editor; guarda: ReturnType<typeof useUnsavedGuard> }) {
  return (
    <>
      <Confirmar
        aberto={guarda.perguntando}
        titulo="Sair sem salvar?"
        confirmar="Sair sem salvar"
        voltar="Continuar editando"
        onConfirmar={guarda.sair}
        onFechar={guarda.ficar}
      >
        As alterações do menu ainda não foram salvas e serão perdidas.
      </Confirmar>
      <Confirmar
        aberto={editor.conflito}
        titulo="A configuração mudou em outra janela"
        confirmar="Recarregar e perder minhas alterações"
        voltar="Continuar editando"
        onConfirmar={editor.aceitarServidor}
        onFechar={editor.fecharConflito}
      >
        Alguém salvou a configuração depois que você começou a editar. Para não apagar o que foi salvo, recarregue antes
        de continuar.
      </Confirmar>
    </>
  )
}
