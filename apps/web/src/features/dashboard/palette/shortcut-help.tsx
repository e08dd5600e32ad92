import { ABAS } from '@balcao/contract/constants'
import { useState } from 'react'
import { hotkeysEnabled, enableHotkeys } from '#shared/hooks/use-hotkeys.ts'
import { Dialog } from '#shared/ui/dialog.tsx'
import { Switch } from '#shared/ui/switch.tsx'
import { TAB_DESCRIPTION } from '#features/dashboard/shell/tab-list.ts'

const GENERAL_SHORTCUTS = [
  { teclas: 'Ctrl K', faz: 'Buscar ou executar' },
  { teclas: 'Ctrl S', faz: 'Salvar a aba aberta' },
  { teclas: 'Ctrl Z', faz: 'Desfazer o que acabou de mudar' },
  { teclas: 'F6', faz: 'Ir para os avisos na tela' },
  { teclas: '?', faz: 'Mostrar esta ajuda' },
  { teclas: 'J K', faz: 'Atendimento: próxima conversa, anterior' },
  { teclas: 'Enter', faz: 'Atendimento: abrir a conversa, escrever, enviar a mensagem' },
  { teclas: '/', faz: 'Atendimento: buscar; na mensagem, respostas rápidas' },
  { teclas: 'A', faz: 'Atendimento: assumir' },
  { teclas: 'T', faz: 'Atendimento: transferir' },
  { teclas: 'E', faz: 'Atendimento: finalizar' },
  { teclas: 'U', faz: 'Atendimento: marcar como não lida e fechar' },
  { teclas: 'M', faz: 'Atendimento: ligar ou desligar o som' },
  { teclas: 'Esc', faz: 'Atendimento: fechar a conversa' },
] as const

function ShortcutRow({ teclas, faz }: { teclas: string; faz: string }) {
  return (
    <div className="flex items-center justify-between gap-4 py-1.5">
      <dt>{faz}</dt>
      <dd>
        {teclas.split(' ').map((tecla) => (
          <kbd key={tecla} className="ml-1 rounded border bg-sunken px-1.5 py-0.5 font-mono text-xs">
            {tecla}
          </kbd>
        ))}
      </dd>
    </div>
  )
}

/** Lists the shortcuts, with the switch for single-key shortcuts that WCAG 2.1.4 requires. */
export function ShortcutHelp({ aberta, onFechar }: { aberta: boolean; onFechar: () => void }) {
  const [enabled, setLigados] = useState(hotkeysEnabled)
  return (
    <Dialog open={aberta} title="Atalhos do teclado" onClose={onFechar}>
      <dl className="divide-y text-sm">
        {GENERAL_SHORTCUTS.map((atalho) => (
          <ShortcutRow key={atalho.teclas} {...atalho} />
        ))}
        {ABAS.map((aba, index) => (
          <ShortcutRow key={aba} teclas={`G ${index + 1}`} faz={`Ir para ${TAB_DESCRIPTION[aba].title}`} />
        ))}
      </dl>
      <div className="mt-4 rounded-[10px] bg-sunken p-3">
        <Switch
          label="Atalhos de uma tecla"
          hint="Desligue se usa ditado ou se eles atrapalham. Os que usam Ctrl continuam."
          on={enabled}
          onChange={(fresh) => {
            enableHotkeys(fresh)
            setLigados(fresh)
          }}
        />
      </div>
    </Dialog>
  )
}
