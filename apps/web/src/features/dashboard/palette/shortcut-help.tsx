import { ABAS } from '@balcao/contract/constants'
import { useState } from 'react'
import { hotkeysEnabled, enableHotkeys } from '#shared/hooks/use-hotkeys.ts'
import { useUsuario } from '#shared/session.tsx'
import { Dialog } from '#shared/ui/dialog.tsx'
import { Switch } from '#shared/ui/switch.tsx'
import { TAB_DESCRIPTION, tabsFor } from '#features/dashboard/shell/tab-list.ts'

const GENERAL_SHORTCUTS = [
  { keys: 'Ctrl K', action: 'Buscar ou executar' },
  { keys: 'Ctrl S', action: 'Salvar a aba aberta' },
  { keys: 'Ctrl Z', action: 'Desfazer o que acabou de mudar' },
  { keys: 'F6', action: 'Ir para os avisos na tela' },
  { keys: '?', action: 'Mostrar esta ajuda' },
  { keys: 'J K', action: 'Atendimento: próxima conversa, anterior' },
  { keys: 'Enter', action: 'Atendimento: abrir a conversa, escrever, enviar a mensagem' },
  { keys: 'Ctrl B', action: 'Atendimento: negrito' },
  { keys: 'Ctrl I', action: 'Atendimento: itálico' },
  { keys: 'Ctrl Shift X', action: 'Atendimento: riscado' },
  { keys: '/', action: 'Atendimento: buscar; na mensagem, respostas rápidas' },
  { keys: 'A', action: 'Atendimento: assumir' },
  { keys: 'T', action: 'Atendimento: transferir' },
  { keys: 'E', action: 'Atendimento: finalizar' },
  { keys: 'U', action: 'Atendimento: marcar como não lida e fechar' },
  { keys: 'N', action: 'Atendimento: escrever uma nota' },
  { keys: 'S', action: 'Atendimento: sugerir uma resposta' },
  { keys: 'I', action: 'Atendimento: mostrar ou esconder os detalhes' },
  { keys: 'M', action: 'Atendimento: ligar ou desligar o som' },
  { keys: 'X', action: 'Atendimento e Contatos: selecionar a linha' },
  { keys: 'Shift J K', action: 'Atendimento: selecionar a próxima, a anterior' },
  { keys: 'P', action: 'Atendimento: novo pedido. Pedidos: próxima etapa' },
  { keys: '← ↑ → ↓', action: 'Pedidos: ir para outro pedido' },
  { keys: 'Esc', action: 'Sair do campo, limpar a seleção, fechar a conversa' },
] as const

function ShortcutRow({ keys, action }: { keys: string; action: string }) {
  return (
    <div className="flex items-center justify-between gap-4 py-1.5">
      <dt>{action}</dt>
      <dd>
        {keys.split(' ').map((key) => (
          <kbd key={key} className="ml-1 rounded border bg-sunken px-1.5 py-0.5 font-mono text-xs">
            {key}
          </kbd>
        ))}
      </dd>
    </div>
  )
}

export function ShortcutHelp({ onClose }: { onClose: () => void }) {
  const [enabled, setEnabled] = useState(hotkeysEnabled)
  const { tipo } = useUsuario()
  return (
    <Dialog open title="Atalhos do teclado" onClose={onClose}>
      <dl className="divide-y text-sm">
        {GENERAL_SHORTCUTS.map((shortcut) => (
          <ShortcutRow key={shortcut.keys} {...shortcut} />
        ))}
        {tabsFor(tipo).map((aba) => (
          <ShortcutRow key={aba} keys={`G ${ABAS.indexOf(aba) + 1}`} action={`Ir para ${TAB_DESCRIPTION[aba].title}`} />
        ))}
      </dl>
      <div className="mt-4 rounded-[10px] bg-sunken p-3">
        <Switch
          label="Atalhos de uma tecla"
          hint="Desligue se usa ditado ou se eles atrapalham. Os que usam Ctrl continuam."
          on={enabled}
          onChange={(fresh) => {
            enableHotkeys(fresh)
            setEnabled(fresh)
          }}
        />
      </div>
    </Dialog>
  )
}
