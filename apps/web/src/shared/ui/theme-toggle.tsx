import { Moon, Sun } from 'lucide-react'
import { useTheme } from '#shared/hooks/use-theme.ts'
import { IconButton } from './icon-button.tsx'

export function ThemeToggle() {
  const { tema, alternar } = useTheme()
  const escuro = tema === 'dark'
  return (
    <IconButton
      label={escuro ? 'Usar tema claro' : 'Usar tema escuro'}
      icon={escuro ? <Sun size={18} aria-hidden /> : <Moon size={18} aria-hidden />}
      onClick={alternar}
    />
  )
}
