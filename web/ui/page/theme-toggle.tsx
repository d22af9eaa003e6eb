import { Moon, Sun } from 'lucide-react'
import { t } from '../../platform/i18n.ts'
import { setTheme, useTheme } from '../../platform/theme.ts'
import { IconButton } from '../buttons/icon-button.tsx'

export function ThemeToggle() {
  const isDark = useTheme() === 'dark'
  const Icon = isDark ? Sun : Moon
  return (
    <IconButton
      label={isDark ? t('Switch to light theme') : t('Switch to dark theme')}
      icon={<Icon size={18} aria-hidden />}
      onClick={() => setTheme(isDark ? 'light' : 'dark')}
    />
  )
}
