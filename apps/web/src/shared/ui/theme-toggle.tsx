import { Moon, Sun } from 'lucide-react'
import { useTheme } from '#shared/hooks/use-theme.ts'
import { IconButton } from './icon-button.tsx'

export function ThemeToggle() {
  const { tema, alternar } = useTheme()
  const dark = tema === 'dark'
  return (
    <IconButton
      label={dark ? 'Usar tema claro' : 'Usar tema escuro'}
      icon={dark ? <Sun size={18} aria-hidden /> : <Moon size={18} aria-hidden />}
      onClick={alternar}
    />
  )
}
