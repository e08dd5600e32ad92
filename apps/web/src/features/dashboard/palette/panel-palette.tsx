import { panelCommands } from './panel-commands.ts'
import { Palette } from './palette.tsx'

type PaletteInput = Parameters<typeof panelCommands>

export interface PanelPaletteProps {
  readonly painel: PaletteInput[0]
  readonly theme: PaletteInput[1]
  readonly targets: PaletteInput[2]
  readonly onClose: () => void
}

export function PanelPalette({ painel, theme, targets, onClose }: PanelPaletteProps) {
  return <Palette comandos={panelCommands(painel, theme, targets)} onFechar={onClose} />
}
