import { Moon, Sun } from 'lucide-react'
import { t } from '../../platform/i18n.ts'
import { setTheme, useTheme } from '../../platform/theme.ts'
import { IconButton } from '../buttons/icon-button.tsx'

export function ThemeToggle() {
  const theme = useTheme()
  return theme === 'dark' ? (
    <IconButton
      label={t('Switch to light theme')}
      icon={<Sun size={18} aria-hidden />}
      onClick={() => setTheme('light')}
    />
  ) : (
    <IconButton
      label={t('Switch to dark theme')}
      icon={<Moon size={18} aria-hidden />}
      onClick={() => setTheme('dark')}
    />
  )
}
